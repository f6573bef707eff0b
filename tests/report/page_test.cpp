// The page as text: escaping, size, self-containedness, and that its data are what went in.
#include "report/page.hpp"

#include <gmock/gmock.h>

#include <regex>

#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "tests/report/demo.hpp"

namespace upsweep::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string page_of(const Sources& sources) {
  return page(collect(sources));
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return "";
  return text.substr(from + begin.size(), text.find(end, from + begin.size()) - from - begin.size());
}

nlohmann::json data_of(const std::string& html) {
  return nlohmann::json::parse(between(html, "<script type=\"application/json\" id=\"data\">", "</script>"));
}

// Sorted, and the middle one or the mean of the two.
double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

TEST(Page, DataAreTheTrialsMedians) {
  const Sources sources = demo({.problems = 2, .sizes = 4, .trials = 12});
  const nlohmann::json data = data_of(page_of(sources));
  ASSERT_EQ(data.at("problems").size(), 2u);
  EXPECT_EQ(data.at("trials"), 2 * 4 * 12);
  std::size_t compared = 0;
  for (const nlohmann::json& problem : data.at("problems")) {
    for (const nlohmann::json& size : problem.at("sizes")) {
      double best = std::numeric_limits<double>::infinity(), first = 0;
      for (const tuning_db::Trial& trial : sources.trials) {
        if (to_string(trial.problem) != problem.at("problem").get<std::string>()) continue;
        if (trial.problem.size != size.at("size")) continue;
        if (trial.samples_us.empty()) continue;
        if (first == 0) first = median(trial.samples_us);
        best = std::min(best, median(trial.samples_us));
      }
      EXPECT_NEAR(size.at("winner_us"), best, best * 1e-5) << "six digits";
      EXPECT_NEAR(size.at("default_us"), first, first * 1e-5) << "the demo measures the default first";
      EXPECT_NEAR(size.at("over_default"), first / best, 1e-4);
      const nlohmann::json& rows = size.at("bench_us");
      EXPECT_NEAR(size.at("over_peer"), rows.at("peer").get<double>() / rows.at("upsweep").get<double>(), 1e-4);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 8u);
}

TEST(Page, HasASectionAndChartsForEachProblem) {
  const std::string html = page_of(demo({.problems = 3, .sizes = 3, .trials = 20}));
  EXPECT_THAT(html, AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("id=\"p0\""), HasSubstr("id=\"p2\""),
                          Not(HasSubstr("id=\"p3\"")), HasSubstr("href=\"#p2\""), HasSubstr("the speed of CUB 3.6.0")));
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = html.find(what); at != std::string::npos; at = html.find(what, at + 1)) ++found;
    return found;
  };
  for (const char* kind : {"throughput", "speedup", "search", "importance"}) {
    EXPECT_EQ(count(std::string("<figure class=\"") + kind + "\">"), 3u) << kind;
  }
  EXPECT_EQ(count("<tr><th scope=\"row\">inclusive scan, plus, i32</th>"), 3u) << "a row a size";
  EXPECT_THAT(html, AllOf(Not(HasSubstr("{{")), Not(HasSubstr(">inf"))));
  EXPECT_FALSE(std::regex_search(html.substr(html.find("</script>")), std::regex("[^a-z]-?nan[^a-z]")));
}

TEST(Page, ValuesThatAreFarTooSlowLieAtTheEdge) {
  Sources sources = demo({.problems = 1, .sizes = 6, .trials = 120});
  int slowed = 0;
  for (tuning_db::Trial& trial : sources.trials) {
    const auto load = trial.config.values.find("load");
    if (load == trial.config.values.end() || load->second != ParameterValue("direct")) continue;
    for (double& us : trial.samples_us) us *= 20;
    ++slowed;
  }
  ASSERT_GT(slowed, 0);
  const std::string html = page_of(sources);
  EXPECT_THAT(between(html, "aria-label=\"load\"", "</svg>"), HasSubstr("direct"));
  const std::regex circle("<circle cx=\"([0-9]+)\"");
  int circles = 0;
  for (std::size_t at = html.find("<g class=\"value\">"); at != std::string::npos;
       at = html.find("<g class=\"value\">", at + 1)) {
    const std::string group = html.substr(at, html.find("</g>", at) - at);
    for (std::sregex_iterator each(group.begin(), group.end(), circle); each != std::sregex_iterator(); ++each) {
      EXPECT_LE(std::stoi((*each)[1]), 300 - 5) << group;
      ++circles;
    }
  }
  EXPECT_GT(circles, 10);
}

TEST(Page, NeedsNothingBesideItself) {
  const std::string html = page_of(demo({.problems = 2, .sizes = 2, .trials = 10}));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  const std::regex outside(R"(https?:|//[a-z]|\ssrc=|@import|url\(|<link|<iframe|href="(?!#p\d))");
  std::string code;
  // Comments of scripts begin with two slashes and a space.
  for (std::sregex_iterator at(html.begin(), html.end(), outside), end; at != end; ++at) code += at->str() + "\n";
  EXPECT_EQ(code, "");
}

TEST(Page, TellsTunedSizesFromThoseOfABenchDocument) {
  Sources sources = demo({.problems = 1, .sizes = 3, .trials = 10});
  EXPECT_THAT(page_of(sources), AllOf(HasSubstr(" · 3 sizes · "), Not(HasSubstr("tuned, "))));
  sources.winners.resize(1);
  EXPECT_THAT(page_of(sources), HasSubstr(" · 1 size tuned, 2 more from the bench document · "));
  sources.winners.clear();
  EXPECT_THAT(page_of(sources), HasSubstr(" · 3 sizes, not tuned · "));
}

TEST(Page, HeadlineNamesTheDevicesThatItsFiguresAreOf) {
  Sources sources = demo({.problems = 1, .sizes = 2, .trials = 10});
  const std::string device = sources.winners.at(0).trial.device.name;
  EXPECT_THAT(page_of(sources), Not(HasSubstr("cases, on")));
  tuning_db::Winner other = sources.winners.at(0);
  other.trial.device.name = "Another GPU";
  sources.shipped.push_back(other);
  const std::string figures = between(page_of(sources), "<div class=\"figures\">", "<dl");
  EXPECT_THAT(figures, AllOf(HasSubstr("2 of 2 cases, on " + device + "<"), Not(HasSubstr("cases<"))));
}

TEST(Page, WithoutABenchDocumentSaysHowToGetOne) {
  const std::string html = page_of(demo({.problems = 1, .sizes = 2, .trials = 10, .documents = false}));
  EXPECT_THAT(html, AllOf(HasSubstr("upsweep report --bench bench.json"), Not(HasSubstr("CUB 3.6.0")),
                          HasSubstr("the speed of the built-in default")));
  EXPECT_THAT(page_of(demo({.problems = 1, .sizes = 2, .trials = 10})), Not(HasSubstr("report --bench bench.json")));
}

// Of what is there nothing is asked for: bench documents of the host device have no CUB.
TEST(Page, HintsNameWhatIsMissingOnly) {
  const std::string how = "upsweep report --bench bench.json", no_cub = "have no times of CUB",
                    no_default = "than the built-in default is not known";
  Sources sources = demo({.problems = 1, .sizes = 2, .trials = 10});
  EXPECT_THAT(page_of(sources), Not(HasSubstr("class=\"hint\"")));

  Sources without_cub = sources;
  for (bench::Cell& cell : without_cub.documents[0].cells)
    std::erase_if(cell.rows, [](const bench::Row& row) { return row.who == bench::Who::peer; });
  EXPECT_THAT(page_of(without_cub), AllOf(HasSubstr(no_cub), Not(HasSubstr(how)), Not(HasSubstr(no_default))));

  Sources host = without_cub;
  for (tuning_db::Trial& each : host.trials) each.device = {.name = "host"};
  for (tuning_db::Winner& each : host.winners) each.trial.device = {.name = "host"};
  host.documents[0].device = "host";
  EXPECT_THAT(page_of(host), Not(HasSubstr(no_cub)));
  host.documents.clear();
  EXPECT_THAT(page_of(host),
              AllOf(HasSubstr("To see the curve of memcpy, run"), HasSubstr(how), Not(HasSubstr("CUB"))));

  sources.trials.clear();
  EXPECT_THAT(page_of(sources), AllOf(HasSubstr(no_default), Not(HasSubstr(how)), Not(HasSubstr(no_cub))));
}

// Shipped winners come without trials: their throughput is what is known.
TEST(Page, OfWinnersAloneShowsTheirThroughput) {
  Sources sources = demo({.problems = 6, .sizes = 3, .trials = 10, .documents = false});
  sources.trials.clear();
  sources.shipped = std::move(sources.winners);
  for (tuning_db::Winner& each : sources.shipped) each.origin = "shipped";
  sources.winners.clear();
  sources.database.clear();
  const std::string html = page_of(sources);
  const std::string matrix = between(html, "<div id=\"matrix\" data-basis=\"throughput\">", "</div>\n</nav>");
  const std::regex figure("<span class=\"of-throughput\" title=\"[^\"]* items\">([0-9.]+)</span>");
  int figures = 0;
  for (std::sregex_iterator at(matrix.begin(), matrix.end(), figure), end; at != end; ++at, ++figures) {
    EXPECT_GT(std::stod((*at)[1]), 1);
  }
  EXPECT_EQ(figures, 6);
  EXPECT_THAT(matrix, Not(HasSubstr("of-throughput\">–")));
  EXPECT_THAT(html, AllOf(HasSubstr("<span>highest throughput</span>"), HasSubstr("results shipped with upsweep"),
                          Not(HasSubstr("<button type=\"button\" data-basis")), Not(HasSubstr("<span>trials</span>"))));
}

TEST(Page, ThroughputHasALogarithmicAxis) {
  const std::string html = page_of(demo({.problems = 1, .sizes = 11, .trials = 10}));
  const std::string chart = between(html, "<figure class=\"throughput\">", "</svg>");
  std::vector<double> heights;
  for (const char* tick : {"1", "10", "100", "1000"}) {
    std::smatch found;
    const std::regex label("class=\"tick end\" x=\"[0-9.]+\" y=\"([0-9.]+)\">" + std::string(tick) + "</text>");
    ASSERT_TRUE(std::regex_search(chart, found, label)) << tick;
    heights.push_back(std::stod(found[1]));
  }
  for (std::size_t i = 2; i < heights.size(); ++i) {
    EXPECT_NEAR(heights[i - 1] - heights[i], heights[0] - heights[1], 0.21) << "a decade is of one height";
  }
  EXPECT_GT(heights[0] - heights[1], 20);
  const std::string speedup = between(html, "<figure class=\"speedup\">", "</svg>");
  EXPECT_THAT(speedup, AllOf(HasSubstr(">1.2</text>"), HasSubstr(">1.4</text>"))) << "linear";
}

TEST(Page, WinnersShowWhatDiffersFromTheDefault) {
  Sources sources = demo({.problems = 1, .sizes = 1, .trials = 1});
  const std::string with_default = page_of(sources);
  const std::string row = between(with_default, "<tr><th scope=\"row\">inclusive scan, plus, i32</th>", "</tr>");
  EXPECT_THAT(row, AllOf(HasSubstr("<i><b>default</b></i><details>"), HasSubstr("<b>single block</b>")));
  sources.winners[0].trial.config.values["threads_per_block"] = 1024;
  const std::string changed =
      between(page_of(sources), "<tr><th scope=\"row\">inclusive scan, plus, i32</th>", "</tr>");
  EXPECT_THAT(changed, AllOf(HasSubstr("<b>single block</b></i><i>threads per block <b>1024</b></i><details>"),
                             Not(HasSubstr("<b>default</b>"))));
  sources.winners[0].trial.device.compute_major = 99;
  const std::string unknown =
      between(page_of(sources), "<tr><th scope=\"row\">inclusive scan, plus, i32</th>", "</tr>");
  EXPECT_THAT(unknown, AllOf(Not(HasSubstr("<b>default</b>")), HasSubstr("</b></i><i>"))) << "the first parameters";
}

TEST(Page, OfNothingSaysWhatToDo) {
  Sources nothing;
  nothing.database = "/home/user/<b>.db";
  const std::string html = page_of(nothing);
  EXPECT_THAT(html, AllOf(HasSubstr("Nothing has been tuned yet"), HasSubstr("upsweep tune inclusive_scan"),
                          HasSubstr("/home/user/&lt;b&gt;.db"), HasSubstr("<body class=\"empty\">")));
}

// Every text that a database or a document can hold, each with another hostile content.
Sources hostile() {
  Sources sources = demo({.problems = 1, .sizes = 2, .trials = 10});
  int number = 0;
  const auto evil = [&number] {
    ++number;
    return "</script><script>evil(" + std::to_string(number) + ")</script><img src=x onerror=\"evil()\">'\"&{{data}}";
  };
  sources.database = evil();
  sources.made_at = "\"><evil";
  const std::string device = evil();
  const Environment environment{evil(), evil(), evil()};
  const std::string session = evil(), name = evil(), value = evil(), schedule = evil(), at = "<evil>&";
  const auto taint = [&](tuning_db::Trial& trial) {
    trial.device.name = device;
    trial.environment = environment;
    trial.session = session;
    trial.measured_at = at;
    trial.config.schedule = schedule;
    trial.config.values[name] = value + std::to_string(trial.samples_us.size());
    if (!trial.failure.empty()) trial.failure = evil();
  };
  for (tuning_db::Trial& each : sources.trials) taint(each);
  for (tuning_db::Winner& each : sources.winners) {
    taint(each.trial);
    each.origin = evil();
  }
  for (BenchDocument& document : sources.documents) {
    document.device = device;
    document.driver = evil();
    document.date = evil();
    for (bench::Cell& cell : document.cells) {
      for (bench::Row& row : cell.rows) row.label = evil();
    }
  }
  return sources;
}

TEST(Page, EscapesEveryText) {
  const std::string html = page_of(hostile());
  EXPECT_THAT(html, AllOf(Not(HasSubstr("<script>evil")), Not(HasSubstr("<img")), Not(HasSubstr("<evil")),
                          Not(HasSubstr("onerror=\"")), Not(HasSubstr("onerror='"))));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;evil("));
  EXPECT_EQ(data_of(html).at("problems").size(), 1u) << "</script> in a text does not end the data";
}

TEST(Page, TextThatIsNoUtf8DoesNotStopIt) {
  Sources sources = demo({.problems = 1, .sizes = 1, .trials = 3});
  for (tuning_db::Trial& each : sources.trials) each.device.name = "GPU \xff\xfe";
  for (tuning_db::Winner& each : sources.winners) each.trial.device.name = "GPU \xff\xfe";
  EXPECT_EQ(data_of(page_of(sources)).at("problems").at(0).at("device"), "GPU \uFFFD\uFFFD");
}

TEST(Page, OfFiftyThousandTrialsTakesSixtyBytesEach) {
  const Sources sources = demo({.problems = 76, .sizes = 11, .trials = 60});
  ASSERT_GT(sources.trials.size(), 50000u);
  EXPECT_LT(page_of(sources).size(), 64 * sources.trials.size());
}

TEST(Page, HasNoPartOfAnotherName) {
  EXPECT_THAT(std::string(part("style.css")), HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THROW((void)part("other.css"), Error);
}

}  // namespace
}  // namespace upsweep::report
