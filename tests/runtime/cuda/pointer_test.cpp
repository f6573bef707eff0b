// Addresses that kernels cannot use, over a stand-in for libcuda.
#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "tests/runtime/cuda/planned_call.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep::runtime {
namespace {

using testing::HasSubstr;

class Addresses : public PlannedCall {
 protected:
  // The message of the error that a call throws; empty if it throws none.
  [[nodiscard]] std::string message(const Plan& planned, const void* in, void* out, std::uint64_t n = 10) {
    return test::error_of<UsageError>([&] { planned.run(in, out, n, stream_); });
  }
  [[nodiscard]] static void* off(void* address, std::ptrdiff_t bytes) { return static_cast<char*>(address) + bytes; }
};

TEST_F(Addresses, NullIsRefused) {
  const Plan planned = plan("single_block");
  EXPECT_THAT(message(planned, nullptr, out_), HasSubstr("'in' is null"));
  EXPECT_THAT(message(planned, in_, nullptr), HasSubstr("'out' is null"));
  EXPECT_TRUE(cuda->launches.empty());
  EXPECT_EQ(message(planned, in_, out_), "");
}

TEST_F(Addresses, MisalignedOnesAreRefused) {
  const Plan planned = plan("single_block");
  EXPECT_THAT(message(planned, off(in_, 2), out_),
              HasSubstr("not aligned for i32: pass an address that is a multiple of 4"));
  EXPECT_THAT(message(planned, in_, off(out_, 1)), HasSubstr("'out'"));
  EXPECT_EQ(message(planned, off(in_, 4), off(out_, 4)), "");
}

TEST_F(Addresses, OverlappingOnesAreRefused) {
  reopen(true, true);
  const Problem scan = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 10);
  const Problem widening = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i64, 10);
  const Problem sum = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 10);
  const auto refused = [&](const Problem& problem, std::ptrdiff_t bytes) {
    const Plan planned = engine_->plan(problem, stream_);
    const std::string text = message(planned, off(in_, 80), off(in_, 80 + bytes));
    EXPECT_TRUE(text.empty() || text.find("overlap: use separate memory") != std::string::npos) << text;
    return !text.empty();
  };
  for (const std::ptrdiff_t bytes : {-36, -4, 4, 36}) EXPECT_TRUE(refused(scan, bytes)) << bytes;
  for (const std::ptrdiff_t bytes : {-40, 0, 40}) EXPECT_FALSE(refused(scan, bytes)) << bytes;
  for (const std::ptrdiff_t bytes : {-72, 0, 32}) EXPECT_TRUE(refused(widening, bytes)) << bytes;
  for (const std::ptrdiff_t bytes : {-80, 40}) EXPECT_FALSE(refused(widening, bytes)) << bytes;
  for (const std::ptrdiff_t bytes : {4, 36}) EXPECT_TRUE(refused(sum, bytes)) << bytes;
  for (const std::ptrdiff_t bytes : {-4, 0, 40}) EXPECT_FALSE(refused(sum, bytes)) << bytes;
}

TEST_F(Addresses, OfTheHostAreRefused) {
  cuda->attributes[CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS] = 0;
  const Plan planned = plan("single_block");
  std::vector<int> host(10);
  EXPECT_THAT(message(planned, host.data(), out_), HasSubstr("'in'"));
  EXPECT_THAT(message(planned, in_, host.data()), HasSubstr("an address of the host, which kernels on cuda:0 cannot"));
  EXPECT_TRUE(cuda->launches.empty());
}

TEST_F(Addresses, OfTheHostAreTakenWhereTheDeviceCanUseThem) {
  cuda->attributes[CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS] = 1;
  std::vector<int> host(10);
  EXPECT_EQ(message(plan("single_block"), host.data(), host.data()), "");
}

TEST_F(Addresses, OfAnotherDeviceAreRefused) {
  alignas(16) static int foreign[10];
  cuda->elsewhere[foreign] = 1;
  EXPECT_THAT(message(plan("single_block"), foreign, out_), HasSubstr("memory of cuda:1, which cuda:0 cannot use"));
  EXPECT_TRUE(cuda->launches.empty());
}

TEST_F(Addresses, AreCheckedWithABorrowedWorkspaceToo) {
  const Plan planned = plan("lookback");
  const BorrowedWorkspace none = planned.borrow_workspace(nullptr, 0, stream_);
  EXPECT_THROW(planned.run(nullptr, out_, 10, Scalar::of(0), stream_, none), UsageError);
}

TEST_F(Addresses, AreCheckedOnceUnlessAskedForAlways) {
  const Plan planned = plan("single_block");
  EXPECT_NE(message(planned, nullptr, out_), "");
  EXPECT_NE(message(planned, nullptr, out_), "") << "a refused call does not count";
  EXPECT_EQ(message(planned, in_, out_), "");
  EXPECT_THAT(message(planned, nullptr, out_), HasSubstr("'in' is null")) << "looked for by every call";
  EXPECT_THAT(message(planned, in_, nullptr), HasSubstr("'out' is null"));
  EXPECT_EQ(message(planned, off(in_, 2), out_), "") << "the rest is trusted from the second call on";
  {
    const test::Variable always{"UPSWEEP_CHECK", "1"};
    EXPECT_TRUE(Engine::parts({.device = "cuda:0", .database = "none"}).check_always);
  }
  {
    const test::Variable wrong{"UPSWEEP_CHECK", "yes"};
    EXPECT_THROW((void)Engine::parts({.device = "cuda:0", .database = "none"}), UsageError);
  }
  reopen(true, true);
  const Plan checked = plan("single_block");
  EXPECT_EQ(message(checked, in_, out_), "");
  EXPECT_THAT(message(checked, off(in_, 2), out_), HasSubstr("not aligned"));
}

// Of a scalar in device memory the same is asked as of an array.
TEST_F(Addresses, OfInitialValuesAreChecked) {
  const Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 10);
  std::vector<int> host(1);
  alignas(16) static int foreign[1];
  const auto message_with = [&](const Plan& planned, const void* initial) {
    const Arguments arguments = Arguments(10).array("in", in_).array("out", out_).scalar_in_memory("initial", initial);
    return test::error_of<UsageError>([&] { planned.run(arguments, stream_); });
  };
  for (const bool always : {false, true}) {
    reopen(true, always);
    cuda->attributes[CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS] = 0;
    cuda->elsewhere[foreign] = 1;
    const Plan planned = engine_->plan(problem, stream_);
    EXPECT_THAT(message_with(planned, host.data()), HasSubstr("'initial'"));
    EXPECT_THAT(message_with(planned, foreign), HasSubstr("memory of cuda:1, which cuda:0 cannot use"));
    EXPECT_EQ(message_with(planned, in_), "");
    const std::string later = message_with(planned, foreign);
    EXPECT_EQ(later.empty(), !always) << "only the first call of a plan looks, unless UPSWEEP_CHECK=1: " << later;
  }
}

TEST_F(Addresses, OfNothingAreNotLookedAt) {
  EXPECT_EQ(message(plan("single_block"), nullptr, nullptr, 0), "");
}

}  // namespace
}  // namespace upsweep::runtime
