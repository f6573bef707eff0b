#include "tuner/verify/expected_results.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <iterator>
#include <numeric>

#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/verify/values.hpp"

namespace upsweep::tuner {
namespace {

using Sizes = std::vector<std::uint64_t>;

// What expects the results of a "kernel" on the fake device, which is right unless a test replaces it.
struct Expecting {
  template <typename T>
  Expecting(Algorithm algorithm, Operator op, const std::vector<T>& items, T start = {})
      : problem(make_problem(algorithm, op, value_type<T>(), value_type<T>(), items.size())),
        data{.items = items.size(), .inputs = {bytes_of(items)}, .scalars = {Scalar::of(start)}} {}

  // What is said of these results for all items.
  template <typename T>
  [[nodiscard]] std::string compare(const std::vector<T>& got) {
    const std::optional<Mismatch> mismatch = compare_first(problem.size, got);
    return mismatch ? to_string(*mismatch) : "right";
  }
  template <typename T>
  [[nodiscard]] std::optional<Mismatch> compare_first(std::uint64_t n, const std::vector<T>& got) {
    const Bytes bytes = bytes_of(got);
    return results.compare(n, {bytes});
  }
  template <typename T>
  [[nodiscard]] std::vector<T> of(std::uint64_t n) {
    return values_of<T>(results.of(n).at(0));
  }

  Problem problem;
  CallData data;
  FakeDevice device;
  runtime::Buffer input{device, data.inputs[0].size() + 1};
  std::function<void(const runtime::CallValues&)> kernel = [this](const auto& call) { compute(problem, call); };
  Sizes ran;
  ExpectedResults results{
      device, nullptr, problem, data, {input.data()}, [this](const runtime::CallValues& call, runtime::Stream) {
        ran.push_back(call.n);
        kernel(call);
      }};
};

TEST(ExpectedResults, OneRunServesAllSizesOfAScan) {
  Expecting scan(Algorithm::exclusive_scan, plus, std::vector{3, 1, 4, 1, 5}, 100);
  EXPECT_EQ(scan.ran, Sizes{}) << "nothing was asked for";
  EXPECT_EQ(scan.of<int>(2), (std::vector{100, 103}));
  EXPECT_EQ(scan.of<int>(5), (std::vector{100, 103, 104, 108, 109}));
  EXPECT_EQ(scan.of<int>(0), std::vector<int>{});
  EXPECT_EQ(scan.ran, Sizes{5});
}

// Fewer items are the first ones: what a reverse scan makes of them is not what it makes of all.
TEST(ExpectedResults, AReverseScanIsRunOnceForEachSize) {
  Expecting scan(Algorithm::reverse_inclusive_scan, plus, std::vector{3, 1, 4, 1, 5});
  scan.kernel = [](const runtime::CallValues& call) {
    const auto* const in = static_cast<const int*>(call.arrays[0]);
    auto* const out = static_cast<int*>(const_cast<void*>(call.arrays[1]));
    std::partial_sum(std::reverse_iterator(in + call.n), std::reverse_iterator(in),
                     std::reverse_iterator(out + call.n));
  };
  EXPECT_EQ(scan.of<int>(2), (std::vector{4, 1}));
  EXPECT_EQ(scan.of<int>(5), (std::vector{14, 11, 10, 6, 5}));
  EXPECT_EQ(scan.of<int>(2), (std::vector{4, 1}));
  EXPECT_EQ(scan.ran, (Sizes{2, 5}));
}

TEST(ExpectedResults, AReduceIsRunOnceForEachSize) {
  Expecting sum(Algorithm::reduce, plus, std::vector{3, 1, 4, 1, 5}, 100);
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(sum.of<int>(5), std::vector{114});
    EXPECT_EQ(sum.of<int>(2), std::vector{104});
    EXPECT_EQ(sum.of<int>(0), std::vector{100});
  }
  EXPECT_EQ(sum.ran, (Sizes{5, 2, 0}));
}

TEST(ExpectedResults, TheInputIsPutInPlaceBeforeEachRun) {
  Expecting sum(Algorithm::reduce, plus, std::vector{3, 1, 4});
  for (const auto& [n, expected] : {std::pair{3u, 8}, {2u, 4}}) {
    std::memset(sum.input.data(), 0x55, 3 * sizeof(int));
    EXPECT_EQ(sum.of<int>(n), std::vector{expected});
  }
}

TEST(ExpectedResults, ArePutOnTheDeviceAndMendedThere) {
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    Expecting expecting(algorithm, plus, std::vector{3, 1, 4, 1, 5});
    void* const own = expecting.device.newest;
    const bool scans = algorithm == Algorithm::inclusive_scan;
    const std::vector<int> right = scans ? std::vector{3, 4, 8} : std::vector{8};
    std::vector<int> put(right.size());
    EXPECT_FALSE(expecting.results.mend()) << "nothing is there";
    expecting.results.put(0, put.data(), 3);
    EXPECT_EQ(put, right);
    EXPECT_FALSE(expecting.results.mend());
    std::memset(own, 0x11, expecting.device.blocks.at(own));
    EXPECT_EQ(expecting.results.mend(), scans);
    EXPECT_FALSE(expecting.results.mend());
    expecting.results.put(0, put.data(), 3);
    EXPECT_EQ(put, right);
  }
}

TEST(ExpectedResults, SayWhatIsWrong) {
  Expecting scan(Algorithm::inclusive_scan, plus, std::vector{1, 2, 3, 4});
  EXPECT_EQ(scan.compare<int>({1, 3, 6, 10}), "right");
  EXPECT_EQ(scan.compare<int>({1, 3, 6, 6}), "wrong at index 3: expected 10, got 6");
  EXPECT_EQ(scan.compare_first<int>(3, {1, 3, 6, 99}), std::nullopt) << "the last is none of three";
  Expecting sum(Algorithm::reduce, plus, std::vector{1, 2, 3, 4});
  EXPECT_EQ(sum.compare<int>({10}), "right");
  EXPECT_EQ(sum.compare_first<int>(3, {10}), (Mismatch{0, "6", "10"}));
}

TEST(ExpectedResults, OneBitIsEnoughToBeWrong) {
  Expecting scan(Algorithm::inclusive_scan, plus, std::vector<float>{1, 2, 3});
  EXPECT_EQ(scan.compare<float>({1, 3, 6}), "right");
  EXPECT_EQ(scan.compare<float>({1, 3, std::nextafterf(6, 7)}), "wrong at index 2: expected 6, got 6.0000005");
}

TEST(ExpectedResults, AnyNanIsAsGoodAsAnother) {
  Expecting scan(Algorithm::inclusive_scan, plus, std::vector<float>{1, NAN, 2});
  EXPECT_EQ(scan.compare<float>({1, -NAN, NAN}), "right");
  EXPECT_EQ(scan.compare<float>({1, NAN, 3}), "wrong at index 2: expected nan, got 3");
  EXPECT_EQ(scan.compare<float>({NAN, NAN, NAN}), "wrong at index 0: expected 1, got nan");
}

TEST(ExpectedResults, AZeroHasItsSignUnlessItIsAPart) {
  Expecting real(Algorithm::inclusive_scan, maximum, std::vector<double>{-0.0, 0.0});
  EXPECT_EQ(real.compare<double>({-0.0, 0.0}), "right");
  EXPECT_EQ(real.compare<double>({-0.0, -0.0}), "wrong at index 1: expected 0, got -0");
  using Complex = std::complex<double>;
  Expecting parts(Algorithm::inclusive_scan, last_nonzero, std::vector<Complex>{{1, NAN}, {-0.0, 2}});
  EXPECT_EQ(parts.compare<Complex>({{1, -NAN}, {0.0, 2}}), "right");
  EXPECT_EQ(parts.compare<Complex>({{2, NAN}, {0.0, 2}}), "wrong at index 0: expected 1+nani, got 2+nani");
  EXPECT_EQ(parts.compare<Complex>({{1, 3}, {0.0, 2}}), "wrong at index 0: expected 1+nani, got 1+3i");
  EXPECT_EQ(parts.compare<Complex>({{1, NAN}, {0.0, 3}}), "wrong at index 1: expected -0+2i, got 3i");
}

TEST(ExpectedResults, AFailureOfTheKernelNamesTheProblemAndKeepsItsKind) {
  Expecting scan(Algorithm::inclusive_scan, plus, std::vector{1, 2});
  const auto kernel = scan.kernel;
  scan.kernel = [](const auto&) { throw CompilerError("it does not compile"); };
  try {
    (void)scan.results.of(1);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ReferenceFailed& error) {
    EXPECT_EQ(error.kind(), ErrorKind::compiler);
    EXPECT_STREQ(
        error.what(),
        "the results of inclusive_scan plus i32 on fake:0 cannot be checked: the reference, which the schedule "
        "sequential computes from 2 items, failed: it does not compile");
  }
  scan.kernel = kernel;
  EXPECT_EQ(scan.of<int>(2), (std::vector{1, 3})) << "it is run again";
}

TEST(ExpectedResults, WorkThatIsCancelledComputesNothing) {
  Expecting scan(Algorithm::inclusive_scan, plus, std::vector{1, 2});
  std::stop_source stop;
  stop.request_stop();
  {
    const base::CancellationScope scope(stop.get_token(), std::chrono::steady_clock::time_point::max());
    EXPECT_THROW((void)scan.results.of(2), base::Cancelled);
  }
  EXPECT_EQ(scan.ran, Sizes{});
  EXPECT_EQ(scan.of<int>(2), (std::vector{1, 3}));
}

TEST(ExpectedResults, RefuseWhatTheyDoNotKnow) {
  Expecting scan(Algorithm::inclusive_scan, plus, std::vector{1, 2});
  EXPECT_EQ(scan.results.items(), 2u);
  EXPECT_EQ(message_of<UsageError>([&] { (void)scan.results.of(3); }), "results are known for 2 items, not for 3");
  EXPECT_EQ(message_of<UsageError>([&] { (void)scan.compare_first<int>(2, {1}); }),
            "cannot compare an output of 4 bytes: 8 bytes are needed");
}

}  // namespace
}  // namespace upsweep::tuner
