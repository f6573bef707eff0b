// Scans of segments: their results are checked, and nothing may be written before the first segment.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>

#include "generator/shape.hpp"
#include "tests/support/segments.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/verify/values.hpp"
#include "tuner/verify/verification.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::uint64_t items_of_segments = 5000;

// The arrays of a call of inclusive_scan plus i32.
struct Arrays {
  Arrays(const Problem& problem, const runtime::CallValues& call) : n(call.n), segments(call.rows) {
    std::size_t i = 0;
    for (const Port& port : ports(problem)) {
      const void* const array = call.arrays.at(i++);
      if (port.direction == Direction::out) {
        out = static_cast<std::int32_t*>(const_cast<void*>(array));
      } else if (port.extent == Extent::offsets) {
        offsets = static_cast<const std::uint32_t*>(array);
      } else {
        in = static_cast<const std::int32_t*>(array);
      }
    }
  }
  void scan() const {
    ASSERT_LE(offsets[segments], n);
    for (std::uint64_t s = 0; s < segments; ++s) {
      std::uint32_t sum = 0;
      for (std::uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
        sum += static_cast<std::uint32_t>(in[i]);
        out[i] = static_cast<std::int32_t>(sum);
      }
    }
  }

  std::uint64_t n, segments;
  const std::int32_t* in = nullptr;
  const std::uint32_t* offsets = nullptr;
  std::int32_t* out = nullptr;
};

class ScanOfSegments : public testing::TestWithParam<bool> {
 protected:
  // What is said of a kernel that is right but for what `spoil` does after it.
  [[nodiscard]] std::string check(const std::function<void(const Arrays&)>& spoil) {
    const auto kernel = [&](const auto& then) {
      return [this, then](const runtime::CallValues& values, runtime::Stream) {
        const Arrays call(problem, values);
        call.scan();
        then(call);
      };
    };
    Verifier verifier{device,
                      nullptr,
                      problem,
                      1,
                      kernel([](const Arrays&) {}),
                      GetParam() ? compared.comparison() : Verifier::Comparison{}};
    return verifier.check(kernel(spoil), {100}, items_of_segments);
  }

  Compared compared;
  FakeDevice device;
  Problem problem = in_segments(test::segments_of_type(Algorithm::inclusive_scan, plus, Type::i32),
                                items_of_segments / 10, items_of_segments);
};

INSTANTIATE_TEST_SUITE_P(Verifier, ScanOfSegments, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "on_the_device" : "fetched"; });

TEST_P(ScanOfSegments, ARightKernelPasses) {
  EXPECT_EQ(check([](const Arrays& call) { EXPECT_GT(call.offsets[0], 0u) << "the first item is in no segment"; }), "");
}

TEST_P(ScanOfSegments, NothingIsWrittenBeforeTheFirstSegment) {
  EXPECT_EQ(check([](const Arrays& call) {
              if (call.n == 101) call.out[0] = 0;
            }),
            "wrote to the output before the first segment (101 items)");
}

TEST_P(ScanOfSegments, AResultIsWrong) {
  const std::string wrong = check([](const Arrays& call) {
    if (call.n == 101) call.out[100] ^= 1;
  });
  EXPECT_TRUE(wrong.starts_with("wrong at index 100: expected ")) << wrong;
}

}  // namespace
}  // namespace upsweep::tuner
