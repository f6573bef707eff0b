#include "report/network_figure.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace upsweep::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(NetworkFigure, HasANodeForEachCallAndALineForEachPlace) {
  for (const char* name : {"kogge_stone", "brent_kung", "blelloch", "kogge_stone_radix_4"}) {
    const tuner::NetworkRun run = tuner::record_network(name, 16);
    const std::string svg = network_svg(run);
    EXPECT_EQ(count_of(svg, "<circle class=\"call\""), run.size) << name;
    EXPECT_EQ(count_of(svg, "<line class=\"lane\""), 16u) << name;
    EXPECT_THAT(svg, AllOf(testing::StartsWith("<svg xmlns="), testing::EndsWith("</svg>\n"),
                           HasSubstr("prefers-color-scheme: dark"), HasSubstr(network_title(run))));
  }
}

// Every value but the one at the call's own place comes along a line.
TEST(NetworkFigure, DrawsWhereOperandsComeFrom) {
  const tuner::NetworkRun run{
      .name = "two", .places = 3, .steps = {{{0, 1, 1, 0}}, {{1, 2, 2, 1}}}, .rows = 2, .depth = 2, .size = 2};
  const std::string svg = network_svg(run);
  EXPECT_EQ(count_of(svg, "<path class=\"value\""), 2u);
  EXPECT_THAT(svg, AllOf(HasSubstr("d=\"M30 26L54 48\""), HasSubstr("d=\"M54 56L78 78\"")));
  EXPECT_THAT(svg, AllOf(HasSubstr("cx=\"54\" cy=\"48\""), HasSubstr("cx=\"78\" cy=\"78\"")));
  EXPECT_EQ(network_title(run), "two, 3 places: 2 steps, depth 2, size 2");
}

TEST(NetworkFigure, DrawsAsText) {
  EXPECT_EQ(network_drawing(tuner::record_network("brent_kung", 8)),
            "   1      4   o * o * o * o *\n"
            "   2      2   | o | * | o | *\n"
            "   3      1   | | | o | | | *\n"
            "   4      1   | | | o | * | |\n"
            "   5      3   | o * o * o * |\n");
}

// Two rows of one step: its number stands once.
TEST(NetworkFigure, DrawsCallsOfOneThreadBelowEachOther) {
  const tuner::NetworkRun run{
      .name = "chain", .places = 3, .steps = {{{0, 1, 2, 0}, {2, 2, 2, 1}}}, .rows = 2, .depth = 2, .size = 2};
  EXPECT_EQ(network_drawing(run),
            "   1      1   o o *\n"
            "          1   | | *\n");
}

}  // namespace
}  // namespace upsweep::report
