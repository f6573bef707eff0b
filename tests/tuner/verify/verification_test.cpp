#include "tuner/verify/verification.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "tests/support/scans.hpp"
#include "tests/tuner/fake_device.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::uint64_t tile = 100;

using Sizes = std::vector<std::uint64_t>;

// The output of a call.
template <typename T>
T* output_of(const runtime::CallValues& call) {
  return static_cast<T*>(const_cast<void*>(call.arrays[1]));
}

// A kernel that is right.
RunKernel computing(const Problem& problem) {
  return [problem](const runtime::CallValues& call, runtime::Stream) { compute(problem, call); };
}

TEST(AwkwardSizes, AroundTiles) {
  EXPECT_EQ(awkward_sizes({100}, 5000, 1 << 20), (Sizes{1, 99, 101, 301, 5000}));
  EXPECT_EQ(awkward_sizes({100}, 5000, 200), (Sizes{1, 99, 101, 200}));
  EXPECT_EQ(awkward_sizes({100}, 101, 1 << 20), (Sizes{1, 99, 101, 301}));
  EXPECT_EQ(awkward_sizes({1}, 7, 1 << 20), (Sizes{1, 2, 4, 7}));
  EXPECT_EQ(awkward_sizes({100, 30}, 5000, 1 << 20), (Sizes{1, 29, 31, 91, 99, 101, 301, 5000})) << "of two steps";
  EXPECT_EQ(awkward_sizes({100}, 5000, 1 << 20, 3), (Sizes{1, 99, 101, 297, 301, 303, 903, 5000})) << "along an axis";
  EXPECT_EQ(awkward_sizes({100}, 5000, 6000, 50), (Sizes{1, 99, 101, 301, 4950, 5000, 5050}));
}

// Where memory is fetched and compared here, and where the device says whether it is the same.
class VerifierTest : public testing::TestWithParam<std::tuple<Algorithm, bool>> {
 protected:
  [[nodiscard]] Algorithm algorithm() const { return std::get<0>(GetParam()); }
  [[nodiscard]] bool on_the_device() const { return std::get<1>(GetParam()); }
  [[nodiscard]] Verifier::Comparison comparison() {
    return on_the_device() ? compared.comparison() : Verifier::Comparison{};
  }
  [[nodiscard]] std::uint64_t outputs(std::uint64_t n) const { return algorithm() == Algorithm::reduce ? 1 : n; }

  // Checks a kernel that is right but for what `spoil` does to its output.
  std::string check(const std::function<void(std::int64_t* out, std::uint64_t n)>& spoil) {
    return verifier.check(
        [&](const runtime::CallValues& call, runtime::Stream) {
          ran.push_back(call.n);
          compute(problem, call);
          spoil(output_of<std::int64_t>(call), call.n);
        },
        {tile}, 5000);
  }
  Sizes ran;
  Compared compared;
  Problem problem = make_problem(algorithm(), plus, Type::i32, Type::i64, 5000);
  FakeDevice device;
  const RunKernel right = computing(problem);
  Verifier verifier{device, nullptr, problem, 1, right, comparison()};
};

TEST_P(VerifierTest, ARightKernelPasses) {
  EXPECT_EQ(check([](auto*, auto) {}), "");
  EXPECT_EQ(ran, (Sizes{1, 99, 101, 301, 5000}));
  EXPECT_EQ(compared.equal, on_the_device() ? 5 : 0);
  EXPECT_EQ(compared.different, 0);
}

TEST_P(VerifierTest, OneWrongItemAtTheEnd) {
  const std::string wrong = check([&](std::int64_t* out, std::uint64_t n) {
    if (n == 301) out[outputs(n) - 1] += 1;
  });
  EXPECT_TRUE(wrong.starts_with("wrong at index " + std::to_string(outputs(301) - 1) + ": expected ")) << wrong;
  EXPECT_TRUE(wrong.ends_with(" (301 items)")) << wrong;
  Sizes expected{1, 99, 101, 301};  // one wrong size is enough
  if (on_the_device()) expected.insert(expected.begin(), {1, 99, 101, 301, 5000});
  EXPECT_EQ(ran, expected);
}

TEST_P(VerifierTest, BeyondTheEnds) {
  EXPECT_EQ(check([&](std::int64_t* out, std::uint64_t n) { out[outputs(n)] = 0; }),
            "wrote beyond the end of the output (1 items)");
  EXPECT_EQ(check([&](std::int64_t* out, std::uint64_t n) {
              if (n == 101) out[-1] = 0;
            }),
            "wrote before the start of the output (101 items)");
}

TEST_P(VerifierTest, WhatIsNotWrittenIsWrong) {
  const std::string wrong = verifier.check([](const auto&, auto) {}, {tile}, 5000);
  EXPECT_TRUE(wrong.starts_with("wrong at index 0: ")) << wrong;
}

TEST_P(VerifierTest, WhatTheKernelThrowsPassesThrough) {
  EXPECT_EQ(message_of<DeviceError>([&] { check([](auto*, auto) { throw DeviceError("illegal address"); }); }),
            "illegal address");
}

TEST_P(VerifierTest, PointersAreNotAlwaysWellAligned) {
  bool aligned = false, misaligned = false;
  check([&](std::int64_t* out, std::uint64_t) {
    (reinterpret_cast<std::uintptr_t>(out) % 16 == 0 ? aligned : misaligned) = true;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(out) % 8, 0u);
  });
  EXPECT_TRUE(aligned);
  EXPECT_TRUE(misaligned);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, VerifierTest,
                         testing::Combine(testing::ValuesIn(test::scans_and_reduces), testing::Bool()),
                         [](const auto& parameter) {
                           return std::string(name(std::get<0>(parameter.param))) +
                                  (std::get<1>(parameter.param) ? "_on_the_device" : "_fetched");
                         });

// A candidate that writes over the data is wrong, and the next one finds the data as it was.
TEST_P(VerifierTest, WhatOneSpoilsIsNotAnothersFault) {
  int calls = 0;
  const auto counted = [&](const runtime::CallValues& call, runtime::Stream stream) {
    ++calls;
    right(call, stream);
  };
  const auto spoiling = [&](const runtime::CallValues& call, runtime::Stream stream) {
    right(call, stream);
    for (std::uint64_t i = 0; i < call.n; ++i) static_cast<int*>(const_cast<void*>(call.arrays[0]))[i] = 0x55;
  };
  const auto twice = [&](const runtime::CallValues& call, runtime::Stream stream) {
    spoiling(call, stream);
    right(call, stream);
  };
  EXPECT_EQ(verifier.check(counted, {tile}, 5000), "");
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(verifier.check(spoiling, {tile}, 5000), "") << "its own results are right at first";
  EXPECT_EQ(verifier.check(right, {tile}, 5000), "") << "it meets the data that were spoiled, and is given them anew";
  EXPECT_NE(verifier.check(twice, {tile}, 5000), "") << "wrong on its own account";
  EXPECT_EQ(verifier.check(right, {tile}, 5000), "");
}

TEST_P(VerifierTest, WhatIsWrongInOneRunOnlyIsWrong) {
  int calls = 0;
  const std::string wrong = check([&](std::int64_t* out, std::uint64_t) {
    if (++calls == 1) out[0] += 1;
  });
  if (on_the_device()) {
    EXPECT_EQ(wrong, "the results were wrong in the first run and correct when the same calls were repeated");
  } else {
    EXPECT_TRUE(wrong.starts_with("wrong at index 0: ")) << wrong;
  }
}

// What results are compared with may be hit, too.
TEST_P(VerifierTest, WhoSpoilsTheReferenceIsTheOnlyOneToBlame) {
  EXPECT_EQ(verifier.check(right, {tile}, 5000), "");
  std::memset(device.newest, 0x11, device.blocks.at(device.newest));
  EXPECT_EQ(verifier.check(right, {tile}, 5000), "");
  compared.equal = 0;
  EXPECT_EQ(verifier.check(right, {tile}, 5000), "");
  EXPECT_EQ(compared.equal, on_the_device() ? 5 : 0) << "mended";
}

TEST_P(VerifierTest, WhatWasComparedBeforeItFailedIsNotTheNextOnesFault) {
  const auto failing = [](const runtime::CallValues& call, runtime::Stream) {
    if (call.n > 100) throw DeviceError("too many blocks");
  };
  if (on_the_device()) {
    EXPECT_THROW((void)verifier.check(failing, {tile}, 5000), DeviceError);
  } else {
    EXPECT_NE(verifier.check(failing, {tile}, 5000), "");
  }
  EXPECT_EQ(verifier.check(right, {tile}, 5000), "");
}

// In complex values -0 is as good as 0. Then the device cannot tell right from wrong, and is not asked again.
TEST_P(VerifierTest, RightResultsMayDifferInTheirBits) {
  problem = make_problem(algorithm(), multiplies, Type::c64, Type::c64, 5000);
  Verifier verifier(device, nullptr, problem, 1, computing(problem), comparison());
  bool different = false;
  const auto run = [&](const runtime::CallValues& call, runtime::Stream stream) {
    ran.push_back(call.n);
    computing(problem)(call, stream);
    for (float& part : std::span(output_of<float>(call), 2 * outputs(call.n))) {
      if (part != 0) continue;
      part = -part;
      different = true;
    }
  };
  EXPECT_EQ(verifier.check(run, {tile}, 5000), "");
  EXPECT_TRUE(different);
  EXPECT_EQ(ran.size(), on_the_device() ? 15u : 5u) << "twice on the device, and fetched in between";
  EXPECT_EQ(compared.different > 0, on_the_device());
  EXPECT_EQ(verifier.check(run, {tile}, 5000), "");
  EXPECT_EQ(ran.size(), on_the_device() ? 20u : 10u);
}

TEST_P(VerifierTest, ARealZeroHasOneSign) {
  problem = make_problem(algorithm(), plus, Type::bf16, Type::bf16, 5000);
  Verifier verifier(device, nullptr, problem, 1, computing(problem), comparison());
  bool different = false;
  const auto run = [&](const runtime::CallValues& call, runtime::Stream stream) {
    computing(problem)(call, stream);
    for (std::uint16_t& result : std::span(output_of<std::uint16_t>(call), outputs(call.n))) {
      if (result != 0) continue;
      result = 0x8000;
      different = true;
    }
  };
  const std::string wrong = verifier.check(run, {tile}, 5000);
  EXPECT_EQ(different, algorithm() != Algorithm::reduce);
  EXPECT_EQ(wrong.find("expected 0, got -0") != std::string::npos, different) << wrong;
}

// Whatever the kernel to be checked does: it is not run.
TEST_P(VerifierTest, WithoutAReferenceNothingIsRightOrWrong) {
  bool fails = true;
  const auto sequential = [&](const runtime::CallValues& call, runtime::Stream stream) {
    if (fails) throw runtime::OutOfDeviceMemory("no room");
    right(call, stream);
  };
  Verifier verifier(device, nullptr, problem, 1, sequential, comparison());
  const auto run = [&](const runtime::CallValues& call, runtime::Stream stream) {
    ran.push_back(call.n);
    right(call, stream);
  };
  EXPECT_THROW((void)verifier.check(run, {tile}, 5000), ReferenceFailed);
  EXPECT_EQ(ran, Sizes{});
  fails = false;
  EXPECT_EQ(verifier.check(run, {tile}, 5000), "") << "it is tried again";
}

// What an earlier kernel did to the input is no input of the reference.
TEST_P(VerifierTest, TheReferenceOfOtherSizesFindsTheDataAsTheyWere) {
  const auto spoiling = [&](const runtime::CallValues& call, runtime::Stream stream) {
    right(call, stream);
    static_cast<int*>(const_cast<void*>(call.arrays[0]))[0] += 1;
  };
  EXPECT_EQ(verifier.check(spoiling, {tile}, 5000), "") << "its own results are right at first";
  EXPECT_EQ(verifier.check(right, {tile + 10}, 4000), "");
}

// An exclusive scan or a reduce that ignores its initial value must not pass.
TEST(Verifier, TheInitialValueIsNoIdentity) {
  for (const Algorithm algorithm : {Algorithm::exclusive_scan, Algorithm::reduce}) {
    const Problem problem = make_problem(algorithm, plus, Type::f32, Type::f32, 1000);
    FakeDevice device;
    Verifier verifier(device, nullptr, problem, 1, computing(problem));
    const std::string wrong = verifier.check(
        [&](const runtime::CallValues& call, runtime::Stream) {
          const Scalar zero = Scalar::of(0.f);
          runtime::CallValues other = call;
          other.scalars[0] = zero.bytes.data();
          compute(problem, other);
        },
        {tile}, 1000);
    EXPECT_TRUE(wrong.starts_with("wrong at index 0: ")) << wrong;
  }
}

TEST(Verifier, LargeSizesAreCheckedUpToACap) {
  FakeDevice device;
  const Problem problem = make_problem(Algorithm::reduce, plus, Type::i8, Type::i8, 1 << 30);
  Verifier verifier(device, nullptr, problem, 1, computing(problem));
  EXPECT_EQ(verifier.sizes({1000}, 1 << 30), (Sizes{1, 999, 1001, 3001, 1 << 22}));
  device.own_target = Target::host;
  Verifier on_host(device, nullptr, problem, 1, computing(problem));
  EXPECT_EQ(on_host.sizes({1000}, 1 << 30), (Sizes{1, 999, 1001, 3001, 1 << 17}));
}

// Rows that are longer than what is verified: one shorter row stands for them.
TEST(Verifier, LongRowsAreCheckedByShorterOnes) {
  FakeDevice device;
  const Problem problem =
      in_rows(make_problem(Algorithm::reduce, plus, Type::i32, Type::i32), 4, std::uint64_t{1} << 23);
  std::vector<std::uint64_t> lengths;
  const RunKernel sums = [&](const runtime::CallValues& call, runtime::Stream) {
    lengths.push_back(call.row_length);
    const auto* in = static_cast<const std::int32_t*>(call.arrays[0]);
    for (std::uint64_t row = 0; row < call.rows; ++row) {
      std::uint32_t sum = 0;
      std::memcpy(&sum, call.scalars[0], sizeof sum);
      for (std::uint64_t i = 0; i < call.row_length; ++i) sum += static_cast<std::uint32_t>(*in++);
      output_of<std::uint32_t>(call)[row] = sum;
    }
  };
  Verifier verifier(device, nullptr, problem, 1, sums);
  EXPECT_EQ(verifier.check(sums, {1000}, problem.size), "");
  EXPECT_EQ(lengths.back(), std::uint64_t{1} << 22);
  const std::string wrong = verifier.check([](const runtime::CallValues&, runtime::Stream) {}, {1000}, problem.size);
  EXPECT_TRUE(wrong.starts_with("wrong at index 0: ")) << wrong;
}

}  // namespace
}  // namespace upsweep::tuner
