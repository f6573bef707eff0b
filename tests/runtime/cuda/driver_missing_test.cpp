// Machines without a driver, or with something else in its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/cuda/cuda_device.hpp"
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
  EXPECT_THAT(message, AllOf(HasSubstr("CUDA driver"), HasSubstr("not found"), HasSubstr("/nonexistent/libcuda.so.1"),
                             HasSubstr("install")));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(MissingDriver, AnotherLibraryInItsPlaceIsAnErrorThatNamesTheFunction) {
  const Variable library("UPSWEEP_LIBCUDA", "libm.so.6");
  EXPECT_EQ(CudaDevice::count(), 0);
  EXPECT_THAT(message_of<DeviceError>([] { (void)CudaDevice::open(0); }),
              AllOf(HasSubstr("libm.so.6"), HasSubstr("cuInit"), HasSubstr("install")));
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
