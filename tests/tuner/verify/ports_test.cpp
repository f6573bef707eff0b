// Calls with several inputs and outputs: their results are checked, and their arrays are laid out.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>

#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/verify/select_pairs.hpp"
#include "tests/tuner/verify/values.hpp"
#include "tuner/verify/verification.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::uint64_t port_tile = 100, port_size = 5000;

using Sizes = std::vector<std::uint64_t>;
using Spoil = std::function<void(const Pairs& call)>;

void right(const runtime::CallValues& call, runtime::Stream) {
  Pairs(call).compute();
}

// Where memory is fetched and compared here, and where the device says whether it is the same.
class Ports : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] Verifier::Comparison comparison() {
    return GetParam() ? compared.comparison() : Verifier::Comparison{};
  }
  // What is said of a kernel that is right but for what `spoil` does before or after it has computed.
  [[nodiscard]] std::string check(const Spoil& spoil) {
    return verifier.check(
        [&](const runtime::CallValues& values, runtime::Stream) {
          ran.push_back(values.n);
          const Pairs call(values);
          call.compute();
          spoil(call);
        },
        {port_tile}, port_size);
  }

  Compared compared;
  Sizes ran;
  FakeDevice device;
  Problem problem = select_pairs_problem(port_size);
  Verifier verifier{device, nullptr, problem, 1, right, comparison()};
};

INSTANTIATE_TEST_SUITE_P(Verifier, Ports, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "on_the_device" : "fetched"; });

TEST_P(Ports, ARightKernelPasses) {
  EXPECT_EQ(check([](const Pairs& call) {
              if (call.n < port_size) return;
              EXPECT_GT(*call.count, port_size / 8) << "some are kept";
              EXPECT_LT(*call.count, 7 * port_size / 8) << "and some are not";
            }),
            "");
  EXPECT_EQ(ran, (Sizes{1, 99, 101, 301, port_size}));
  EXPECT_EQ(compared.equal + compared.different, GetParam() ? 5 : 0) << "all arrays at once";
}

TEST_P(Ports, TheCountComesFirst) {
  const std::string wrong = check([](const Pairs& call) {
    if (call.n != 301) return;
    call.kept[(*call.count)++] = 5;
    call.kept[0] ^= 1;
  });
  EXPECT_TRUE(wrong.starts_with("count: wrong at index 0: expected ")) << wrong;
  EXPECT_TRUE(wrong.ends_with(" (301 items)")) << wrong;
}

TEST_P(Ports, AnItemThatIsKeptIsWrong) {
  std::uint64_t last = 0;
  const std::string wrong = check([&](const Pairs& call) {
    if (call.n != 301) return;
    last = *call.count - 1;
    call.kept[last] ^= 1;
  });
  EXPECT_TRUE(wrong.starts_with("kept: wrong at index " + std::to_string(last) + ": expected ")) << wrong;
}

TEST_P(Ports, AnotherOutputIsWrong) {
  const std::string wrong = check([](const Pairs& call) { call.marks[call.n - 1] ^= 1; });
  EXPECT_TRUE(wrong.starts_with("marks: wrong at index 0: expected ")) << wrong;
  EXPECT_TRUE(wrong.ends_with(" (1 items)")) << wrong;
}

TEST_P(Ports, NothingIsWrittenBehindWhatIsKept) {
  for (const std::uint64_t n : {301u, 5000u}) {
    for (const bool at_once : {true, false}) {
      std::uint32_t kept = 0;
      const std::string wrong = check([&](const Pairs& call) {
        if (call.n != n) return;
        kept = *call.count;
        call.kept[at_once ? kept : call.n - 1] = 0;
      });
      EXPECT_EQ(wrong, "wrote beyond the " + std::to_string(kept) + " items that it keeps (kept, " + std::to_string(n) +
                           " items)");
    }
  }
}

TEST_P(Ports, NothingIsWrittenAroundAnArray) {
  const auto after = [&](const Spoil& spoil) {
    return check([&](const Pairs& call) {
      if (call.n == 99) spoil(call);
    });
  };
  EXPECT_EQ(after([](const Pairs& call) { call.kept[-1] = 0; }), "wrote before the start of 'kept' (99 items)");
  EXPECT_EQ(after([](const Pairs& call) { call.kept[call.n] = 0; }), "wrote beyond the end of 'kept' (99 items)");
  EXPECT_EQ(after([](const Pairs& call) { call.marks[-1] = 0; }), "wrote before the start of 'marks' (99 items)");
  EXPECT_EQ(after([](const Pairs& call) { call.marks[call.n] = 0; }), "wrote beyond the end of 'marks' (99 items)");
  EXPECT_EQ(after([](const Pairs& call) { call.count[-1] = 0; }), "wrote before the start of 'count' (99 items)");
  EXPECT_EQ(after([](const Pairs& call) { call.count[1] = 0; }), "wrote beyond the end of 'count' (99 items)");
  EXPECT_EQ(after([](const Pairs& call) { call.kept[-32] = 0; }), "wrote before the start of 'kept' (99 items)");
  EXPECT_EQ(after([](const Pairs& call) { call.count[63] = 0; }), "wrote beyond the end of 'count' (99 items)");
}

TEST_P(Ports, EachInputAndTheScalarAreNeeded) {
  const auto verdict = [&](const std::function<void(runtime::CallValues&)>& change) {
    return verifier.check(
        [&](runtime::CallValues call, runtime::Stream stream) {
          change(call);
          right(call, stream);
        },
        {port_tile}, port_size);
  };
  const std::vector<std::int64_t> zeros(port_size);
  const std::int32_t threshold = 1'000'000'000;
  EXPECT_EQ(verdict([](auto&) {}), "");
  EXPECT_NE(verdict([&](auto& call) { call.arrays[0] = zeros.data(); }), "");
  EXPECT_NE(verdict([&](auto& call) { call.arrays[1] = zeros.data(); }), "");
  EXPECT_NE(verdict([&](auto& call) { call.scalars[0] = &threshold; }), "");
}

// Aligned for their types and no better, by turns.
TEST_P(Ports, EachArrayIsMisaligned) {
  std::set<std::array<std::uintptr_t, 5>> seen;
  const std::string wrong = verifier.check(
      [&](const runtime::CallValues& call, runtime::Stream stream) {
        std::array<std::uintptr_t, 5> off{};
        for (std::size_t i = 0; i < off.size(); ++i) off[i] = reinterpret_cast<std::uintptr_t>(call.arrays[i]) % 256;
        seen.insert(off);
        right(call, stream);
      },
      {port_tile}, port_size);
  EXPECT_EQ(wrong, "");
  EXPECT_EQ(seen, (std::set<std::array<std::uintptr_t, 5>>{{0, 0, 0, 0, 0}, {4, 8, 8, 2, 4}}));
}

// A candidate that writes over one input is wrong, and the next one finds all inputs as they were.
TEST_P(Ports, WhatOneSpoilsIsNotAnothersFault) {
  for (const std::size_t input : {0u, 1u}) {
    const auto spoiling = [&](const runtime::CallValues& call, runtime::Stream stream) {
      right(call, stream);
      std::memset(const_cast<void*>(call.arrays[input]), 0x55, call.n * 4);
    };
    EXPECT_EQ(verifier.check(spoiling, {port_tile}, port_size), "") << "its own results are right at first";
    EXPECT_EQ(verifier.check(right, {port_tile}, port_size), "");
  }
}

TEST_P(Ports, WhatIsWrongInOneRunOnlyIsWrong) {
  int calls = 0;
  const std::string wrong = check([&](const Pairs& call) {
    if (++calls == 1) call.marks[0] ^= 1;
  });
  if (GetParam()) {
    EXPECT_EQ(wrong, "the results were wrong in the first run and correct when the same calls were repeated");
  } else {
    EXPECT_TRUE(wrong.starts_with("marks: wrong at index 0: ")) << wrong;
  }
}

// The copies of expected results on the device are mended as well.
TEST_P(Ports, WhoSpoilsTheReferenceIsTheOnlyOneToBlame) {
  EXPECT_EQ(verifier.check(right, {port_tile}, port_size), "");
  std::memset(device.newest, 0x11, device.blocks.at(device.newest));
  EXPECT_EQ(verifier.check(right, {port_tile}, port_size), "");
  compared.equal = compared.different = 0;
  EXPECT_EQ(verifier.check(right, {port_tile}, port_size), "");
  EXPECT_EQ(compared.equal + compared.different, GetParam() ? 5 : 0) << "mended";
}

TEST(TimedArrays, AreThoseOfThePorts) {
  const Problem problem = select_pairs_problem(100);
  const std::vector<Bytes> patterns{Bytes(1), Bytes(2)};
  const Shifts shifts = shifts_of(problem, 1, 2);
  EXPECT_EQ(shifts, (Shifts{4, 8, 16, 4, 8}));
  const std::vector<TimedArray> arrays = timed_arrays(problem, 100, shifts, patterns);
  std::vector<std::uint64_t> bytes, of_patterns;
  for (const TimedArray& array : arrays) {
    EXPECT_EQ(array.direction == Direction::in, bytes.size() < 2);
    bytes.push_back(array.bytes);
    of_patterns.push_back(array.pattern.size());
  }
  EXPECT_EQ(bytes, (Sizes{404, 808, 816, 204, 12}));
  EXPECT_EQ(of_patterns, (Sizes{1, 2, 0, 0, 0}));
  EXPECT_EQ(timed_arrays(problem, ~std::uint64_t{0}, shifts, patterns)[0].bytes, ~std::uint64_t{0}) << "no overflow";
}

// What expects the results of pairs on the fake device.
struct ExpectingPairs {
  Problem problem = select_pairs_problem(4);
  CallData data{.items = 4,
                .inputs = {bytes_of<std::int32_t>({7, 1, 8, 2}), bytes_of<std::int64_t>({10, 20, 30, 40})},
                .scalars = {Scalar::of(std::int32_t{5})}};
  FakeDevice device;
  runtime::Buffer keys{device, 16}, values{device, 32};
  Sizes ran;
  std::uint32_t too_many = 0;
  ExpectedResults results{device,
                          nullptr,
                          problem,
                          data,
                          {keys.data(), values.data()},
                          [this](const runtime::CallValues& call, runtime::Stream) {
                            ran.push_back(call.n);
                            Pairs(call).compute();
                            *Pairs(call).count += too_many;
                          }};

  [[nodiscard]] std::vector<Bytes> of(std::uint64_t n) {
    std::vector<Bytes> all;
    for (const auto& output : results.of(n)) all.emplace_back(output.begin(), output.end());
    return all;
  }
};

TEST(ExpectedPorts, EachSizeIsRunAndHasWhatIsKept) {
  ExpectingPairs expecting;
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(expecting.of(4), (std::vector<Bytes>{bytes_of<std::int64_t>({20, 40}),
                                                   bytes_of<std::int16_t>({17, 21, 38, 42}), bytes_of<int>({2})}));
    EXPECT_EQ(expecting.of(1), (std::vector<Bytes>{{}, bytes_of<std::int16_t>({17}), bytes_of<int>({0})}));
  }
  EXPECT_EQ(expecting.ran, (Sizes{4, 1}));
}

TEST(ExpectedPorts, AreFoundAgainAfterAllInputsWereDamaged) {
  ExpectingPairs expecting;
  std::memset(expecting.keys.data(), 0x55, 16);
  std::memset(expecting.values.data(), 0x55, 32);
  EXPECT_EQ(expecting.of(2)[0], bytes_of<std::int64_t>({20}));
}

TEST(ExpectedPorts, AReferenceThatKeepsMoreThanThereIsHasFailed) {
  ExpectingPairs expecting;
  expecting.too_many = 3;
  const std::string message = message_of<ReferenceFailed>([&] { (void)expecting.results.of(4); });
  EXPECT_TRUE(message.ends_with("failed: it keeps 5 items of 4 (kept)")) << message;
}

}  // namespace
}  // namespace upsweep::tuner
