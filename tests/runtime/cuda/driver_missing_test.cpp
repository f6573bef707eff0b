// Machines without a driver, or with something else in its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/log.hpp>
#include <upsweep/upsweep.hpp>

#include "runtime/cuda/cuda_device.hpp"
#include "runtime/engine.hpp"
#include "tests/runtime/cuda/support.hpp"

namespace upsweep::runtime {
namespace {

using test::message_of;
using test::Variable;
using testing::AllOf;
using testing::HasSubstr;

// A failure to load is not remembered, so these tests do not depend on their order; none of them loads a real driver.
TEST(MissingDriver, IsNoDevicesAndAnErrorWithThePath) {
  const Variable library("UPSWEEP_LIBCUDA", "/nonexistent/libcuda.so.1");
  EXPECT_EQ(CudaDevice::count(), 0);
  EXPECT_EQ(CudaDevice::current(), std::nullopt);
  const std::string message = message_of<DeviceError>([] { (void)CudaDevice::open(0); });
  EXPECT_THAT(message, AllOf(HasSubstr("CUDA driver"), HasSubstr("cannot be loaded"),
                             HasSubstr("/nonexistent/libcuda.so.1"), HasSubstr("unset it")));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(MissingDriver, AnotherLibraryInItsPlaceIsAnErrorThatNamesTheFunction) {
  const Variable library("UPSWEEP_LIBCUDA", "libm.so.6");
  EXPECT_EQ(CudaDevice::count(), 0);
  EXPECT_THAT(message_of<DeviceError>([] { (void)CudaDevice::open(0); }),
              AllOf(HasSubstr("libm.so.6"), HasSubstr("cuInit"), HasSubstr("install")));
}

// Who has a GPU does not expect the CPU in its place.
TEST(MissingDriver, AnAbsentOneAndABrokenOneAreAWarningEach) {
  std::vector<std::string> warnings;
  auto before = set_log_sink([&](LogLevel, const std::string& text) { warnings.push_back(text); });
  {
    const Variable library("UPSWEEP_LIBCUDA", "/nonexistent/libcuda.so.1");
    const bool announced = announce_host_device(false);
    EXPECT_EQ(Context({.device = "auto", .database = "none"}).device(), "host");
    EXPECT_THAT(warnings, testing::IsEmpty()) << "the command says the device itself";
    announce_host_device(announced);
    EXPECT_EQ(Context({.device = "host", .database = "none"}).device(), "host");
    EXPECT_THAT(warnings, testing::IsEmpty()) << "the host device was asked for";
    for (int i = 0; i < 3; ++i) EXPECT_EQ(Context({.device = "auto", .database = "none"}).device(), "host");
    EXPECT_EQ(what_is_wrong_with_the_driver(), "");
  }
  EXPECT_THAT(warnings, testing::ElementsAre(AllOf(HasSubstr("no GPU was found"), HasSubstr("device 'host'"))));
  warnings.clear();
  const Variable library("UPSWEEP_LIBCUDA", "libm.so.6");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Context({.device = "auto", .database = "none"}).device(), "host");
  EXPECT_EQ(Context({.device = "host", .database = "none"}).device(), "host");
  set_log_sink(std::move(before));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0],
              AllOf(HasSubstr("computing on the CPU, not on a GPU: "), HasSubstr("libm.so.6"), HasSubstr("cuInit")));
}

TEST(DynamicLibrary, OpensTheFirstCandidateThatIsThere) {
  std::string reason;
  const auto library = DynamicLibrary::open({"/nonexistent/a.so", "libm.so.6", "libc.so.6"}, reason);
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(library->name(), "libm.so.6");
  EXPECT_EQ(reason, "");
  const auto cosine = reinterpret_cast<double (*)(double)>(library->symbol("cos"));
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_EQ(library->symbol("no_such_function"), nullptr);
}

TEST(DynamicLibrary, NamesAllCandidatesOfAFailure) {
  std::string reason;
  EXPECT_EQ(DynamicLibrary::open({"/nonexistent/a.so", "libnone.so.7"}, reason), nullptr);
  EXPECT_THAT(reason, AllOf(HasSubstr("/nonexistent/a.so"), HasSubstr("libnone.so.7")));
}

}  // namespace
}  // namespace upsweep::runtime
