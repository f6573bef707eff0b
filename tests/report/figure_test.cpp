#include "report/figure.hpp"

#include <gmock/gmock.h>

#include <regex>

#include "bench/compare.hpp"

namespace upsweep::report {
namespace {

using bench::Cell;
using bench::make_row;
using bench::Mode;
using bench::Who;
using ::testing::HasSubstr;
using ::testing::Not;

Cell cell(std::uint64_t size, double own_us, double peer_us, Type type = Type::i32) {
  Cell made;
  made.problem = make_problem(Algorithm::inclusive_scan, Operator::plus, type, type, size);
  made.rows = {make_row(Who::upsweep, "upsweep", 8 * size, {own_us}),
               make_row(Who::peer, "CUB <3> & \"more\"", 8 * size, {peer_us}),
               make_row(Who::memcpy, "memcpy", 8 * size, {own_us / 2}),
               make_row(Who::empty_kernel, "empty kernel", 0, {1})};
  return made;
}

std::vector<Cell> cells() {
  return {cell(1 << 14, 4, 8), cell(1 << 10, 1, 2), cell(1 << 12, 2, 4), cell(1 << 12, 2, 4, Type::f64)};
}

// Whether every element is closed in order and every ampersand begins an entity.
bool well_formed(const std::string& xml) {
  static const std::regex token(R"(<(/?)([A-Za-z]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(/?)>|<|&(?!amp;|lt;|gt;|quot;))");
  std::vector<std::string> open;
  for (std::sregex_iterator at(xml.begin(), xml.end(), token), end; at != end; ++at) {
    const std::smatch& found = *at;
    if (!found[2].matched) return false;  // a bare < or &
    if (found[1] == "/") {
      if (open.empty() || open.back() != found[2]) return false;
      open.pop_back();
    } else if (found[4] != "/") {
      open.push_back(found[2]);
    }
  }
  return open.empty();
}

struct Pixel {
  double x = 0, y = 0;
};

// The corners of the line of that class.
std::vector<Pixel> line(const std::string& xml, const std::string& who) {
  std::smatch found;
  const std::regex path("<g class=\"series " + who + "\"><path class=\"line\" d=\"([^\"]*)\"");
  if (!std::regex_search(xml, found, path)) return {};
  std::istringstream points(found[1].str());
  std::vector<Pixel> pixels;
  for (Pixel each; points.ignore() && points >> each.x >> each.y;) pixels.push_back(each);
  return pixels;
}

std::string drawn(const std::vector<Cell>& all) {
  return figure_of(throughput_charts(all, Mode{}), {});
}

TEST(Figure, HasChartsOfOneModeAndInOrderOfSize) {
  std::vector<Cell> all = cells();
  Cell warm = cell(1 << 20, 1, 1);
  warm.mode.caches = tuner::Caches::warm;
  all.push_back(warm);
  const std::vector<Chart> panels = throughput_charts(all, Mode{});
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].title, "inclusive_scan plus i32");
  EXPECT_EQ(panels[1].title, "inclusive_scan plus f64");
  ASSERT_EQ(panels[0].series.size(), 3u) << "the empty kernel has no throughput";
  const Series& own = panels[0].series.front();
  EXPECT_EQ(own.style, "upsweep");
  ASSERT_EQ(own.marks.size(), 3u);
  EXPECT_EQ(own.marks[0].x, 1024);
  EXPECT_EQ(own.marks[2].x, 16384);
  EXPECT_DOUBLE_EQ(own.marks[0].y, 8.192);
  EXPECT_EQ(own.marks[0].note, "upsweep, 1024 items: 8.2 GB/s, 1.00 us");
}

TEST(Figure, IsWellFormed) {
  const std::string caption = "a <caption> & \"more\"";
  const std::string xml = figure_of(throughput_charts(cells(), Mode{}), {&caption, 1});
  EXPECT_TRUE(well_formed(xml)) << xml;
  EXPECT_FALSE(well_formed("<a><b></a></b>"));
  EXPECT_FALSE(well_formed("<a>x & y</a>"));
  EXPECT_THAT(xml, HasSubstr("CUB &lt;3&gt; &amp; &quot;more&quot;"));
  EXPECT_THAT(xml, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(xml, Not(HasSubstr("nan")));
}

TEST(Figure, SizesAndThroughputAreLogarithmic) {
  const std::string xml = drawn(cells());
  const std::vector<Pixel> own = line(xml, "upsweep");
  ASSERT_EQ(own.size(), 3u);
  EXPECT_NEAR(own[1].x - own[0].x, own[2].x - own[1].x, 0.11) << "steps of 4x are of one width";
  EXPECT_GT(own[1].x, own[0].x);
  // upsweep takes 1, 2 and 4 us for 1024, 4096 and 16384 items of 8 bytes: 8.192, 16.384 and 32.768 GB/s; the peer
  // half.
  const std::vector<Pixel> peer = line(xml, "peer");
  const double twice = peer[0].y - own[0].y;
  EXPECT_GT(twice, 10);
  EXPECT_NEAR(own[0].y - own[1].y, twice, 0.21) << "a factor of two is of one height everywhere";
  EXPECT_NEAR(own[1].y - own[2].y, twice, 0.21);
  EXPECT_NEAR(own[2].y - line(xml, "memcpy")[2].y, twice, 0.21);
}

TEST(Figure, AxesHaveTheirTicks) {
  const std::string xml = drawn(cells());
  EXPECT_THAT(xml, HasSubstr(">10</tspan>"));
  EXPECT_THAT(xml, HasSubstr(">14</tspan>"));
  for (const char* tick : {">2</text>", ">5</text>", ">10</text>", ">20</text>", ">50</text>"}) {
    EXPECT_THAT(xml, HasSubstr(tick)) << "4.1 to 65.5 GB/s";
  }
  EXPECT_THAT(xml, HasSubstr(">100</text>")) << "the memcpy of 65.5 GB/s lies below the highest rule";
  EXPECT_THAT(xml, Not(HasSubstr(">1</text>")));
  EXPECT_THAT(xml, HasSubstr("GB/s"));
}

TEST(Figure, DrawsOnePanelOfOnePoint) {
  const std::string xml = drawn({cell(1000, 1, 2)});
  EXPECT_TRUE(well_formed(xml));
  EXPECT_THAT(xml, Not(HasSubstr("nan")));
  EXPECT_THAT(xml, Not(HasSubstr("inf")));
  EXPECT_EQ(line(xml, "upsweep").size(), 1u);
}

}  // namespace
}  // namespace upsweep::report
