#include "bench/axis.hpp"

#include <gmock/gmock.h>

namespace upsweep::bench {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Axis, LinearHasRoundTicks) {
  EXPECT_THAT(Axis::linear(0, 4283).ticks(), ElementsAre(0, 1000, 2000, 3000, 4000, 5000));
  EXPECT_THAT(Axis::linear(0.93, 1.42).ticks(),
              ElementsAre(DoubleNear(0.9, 1e-9), DoubleNear(1, 1e-9), DoubleNear(1.1, 1e-9), DoubleNear(1.2, 1e-9),
                          DoubleNear(1.3, 1e-9), DoubleNear(1.4, 1e-9), DoubleNear(1.5, 1e-9)));
  EXPECT_NEAR(Axis::linear(0, 4283).fraction(2500), 0.5, 1e-12);
}

TEST(Axis, LinearOfOneValueHasALength) {
  const Axis axis = Axis::linear(1, 1);
  EXPECT_EQ(axis.fraction(1), 0);
  EXPECT_GE(axis.ticks().size(), 2u);
  EXPECT_EQ(Axis::linear(0, 0).fraction(0), 0);
}

TEST(Axis, PowersOfTwoAreWhole) {
  EXPECT_THAT(Axis::powers_of_two(1000, 5000).ticks(), ElementsAre(512, 1024, 2048, 4096, 8192));
  EXPECT_NEAR(Axis::powers_of_two(1024, 4096).fraction(2048), 0.5, 1e-12);
  EXPECT_THAT(Axis::powers_of_two(1024, 1024).ticks(), ElementsAre(1024, 2048));
  EXPECT_THAT(Axis::powers_of_two(1 << 10, 1 << 30).ticks(), SizeIs(11)) << "every other one";
  EXPECT_EQ(Axis::powers_of_two(0, 0).fraction(0), 0) << "no items at all";
}

TEST(Escaped, IsSafeInTextAndAttributes) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escaped("µs 2²⁰"), "µs 2²⁰");
}

}  // namespace
}  // namespace upsweep::bench
