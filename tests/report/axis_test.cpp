#include "report/axis.hpp"

#include <gmock/gmock.h>

namespace upsweep::report {
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

TEST(Axis, PowersOfTenBeginAndEndRound) {
  const Axis axis = Axis::powers_of_ten(0.9, 4566);
  EXPECT_THAT(axis.ticks(),
              ElementsAre(DoubleNear(1, 1e-9), DoubleNear(10, 1e-9), DoubleNear(100, 1e-9), DoubleNear(1000, 1e-9)));
  EXPECT_EQ(axis.fraction(0.5), 0) << "it begins at 0.5";
  EXPECT_NEAR(axis.fraction(5000), 1, 1e-12) << "and ends at 5000";
  EXPECT_NEAR(axis.fraction(50), 0.5, 1e-12) << "equal factors are equal lengths";
  EXPECT_NEAR(axis.fraction(10) - axis.fraction(1), axis.fraction(1000) - axis.fraction(100), 1e-12);
}

TEST(Axis, PowersOfTenOfFewDecadesHaveMoreTicks) {
  EXPECT_THAT(Axis::powers_of_ten(30, 400).ticks(),
              ElementsAre(DoubleNear(20, 1e-9), DoubleNear(50, 1e-9), DoubleNear(100, 1e-9), DoubleNear(200, 1e-9),
                          DoubleNear(500, 1e-9)));
  EXPECT_THAT(Axis::powers_of_ten(0.21, 0.21).ticks(), ElementsAre(DoubleNear(0.2, 1e-9), DoubleNear(0.5, 1e-9)));
  EXPECT_THAT(Axis::powers_of_ten(1, 1).ticks(), ElementsAre(DoubleNear(1, 1e-9), DoubleNear(2, 1e-9)));
}

TEST(Axis, PowersOfTenOfNothingHaveALength) {
  const Axis axis = Axis::powers_of_ten(0, 0);
  EXPECT_GE(axis.ticks().size(), 2u);
  EXPECT_EQ(axis.fraction(0), 0);
  EXPECT_EQ(Axis::powers_of_ten(1, 10).fraction(-1), 0);
}

TEST(Escaped, IsSafeInTextAndAttributes) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escaped("µs 2²⁰"), "µs 2²⁰");
  EXPECT_EQ(escaped(std::string("\x1b[1m\0\x7f\n", 7)), "\ufffd[1m\ufffd\ufffd\n");
}

}  // namespace
}  // namespace upsweep::report
