// The page in a real browser: headless Chromium lays it out, the page looks at itself (report.html?check), and the test
// reads what it found. UPSWEEP_BROWSER names another Chromium or Chrome; "none" skips these tests.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/find_program.hpp"
#include "base/process.hpp"
#include "report/page.hpp"
#include "tests/report/demo.hpp"
#include "tests/support/test_folder.hpp"

namespace upsweep::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* how_to_install =
    "no headless Chromium was found, and the report must be looked at in a real browser: run `scripts/setup --tests` "
    "(Debian: apt-get install chromium-headless-shell; elsewhere install Google Chrome or Chromium), or set "
    "UPSWEEP_BROWSER to the path of one";

// What the page found is copied out of its frame, to be dumped.
constexpr const char* frame = R"(<!doctype html>
<meta name="color-scheme" content="light dark">
<iframe src="report.html?check" width="{width}" height="900" frameborder="0"></iframe>
<script>
addEventListener("load", () => {{
  const found = document.querySelector("iframe").contentDocument.getElementById("self-check");
  if (found) document.body.append(document.importNode(found, true));
}});
</script>
)";

class Browser : public test::TestFolder, public ::testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("UPSWEEP_BROWSER");
    if (named != nullptr && std::string_view(named) == "none") GTEST_SKIP() << "UPSWEEP_BROWSER=none";
    const std::vector<std::string> command{UPSWEEP_SOURCE_DIR "/scripts/find-browser"};
    const base::ProcessResult found = base::run_process(command);
    ASSERT_EQ(found.exit_code, 0) << how_to_install;
    browser_ = found.output.substr(0, found.output.find('\n'));
  }

  // What the page finds when it looks at itself, in a frame of that width: windows of some browsers are 500 wide at
  // least.
  nlohmann::json check(const std::string& html, int width, bool dark) {
    make("report.html", html);
    const fs::path file = path() / "frame.html";
    std::ofstream(file) << fmt::format(frame, fmt::arg("width", width));
    const std::vector<std::string> command{base::find_program("timeout"),
                                           "90",
                                           browser_,
                                           "--headless",
                                           "--no-sandbox",
                                           "--disable-gpu",
                                           "--disable-dev-shm-usage",
                                           "--no-first-run",
                                           "--hide-scrollbars",
                                           "--virtual-time-budget=10000",
                                           "--user-data-dir=" + (path() / "profile").string(),
                                           "--window-size=1400,1000",
                                           "--allow-file-access-from-files",
                                           std::string("--blink-settings=preferredColorScheme=") + (dark ? "0" : "1"),
                                           "--dump-dom",
                                           "file://" + file.string()};
    const base::ProcessResult result = base::run_process(command);
    const std::string begin = "id=\"self-check\">";
    const std::size_t at = result.output.rfind(begin);
    if (at == std::string::npos) {
      ADD_FAILURE() << browser_ << " ended with " << result.exit_code
                    << " and the page's script did not get to its end:\n"
                    << result.output.substr(0, 4000);
      return nlohmann::json::object();
    }
    const std::size_t from = at + begin.size();
    return nlohmann::json::parse(result.output.substr(from, result.output.find("</script>", from) - from));
  }

 private:
  std::string browser_;
};

std::string demo_page(int problems = 2) {
  return page(collect(demo({.problems = problems, .sizes = 11, .trials = 40})));
}

TEST_F(Browser, EverythingIsDrawnWithinTheWindow) {
  const std::string html = demo_page();
  for (const int width : {1280, 768, 390}) {
    for (const bool dark : {false, true}) {
      SCOPED_TRACE(std::to_string(width) + (dark ? " dark" : " light"));
      const nlohmann::json found = check(html, width, dark);
      ASSERT_TRUE(found.contains("width"));
      EXPECT_EQ(found.at("width"), width);
      EXPECT_LE(found.at("page_width"), width) << "nothing to scroll to the side";
      EXPECT_EQ(found.at("outside"), nlohmann::json::array());
      EXPECT_EQ(found.at("defects"), nlohmann::json::array()) << "errors of scripts, refused resources";
      EXPECT_EQ(found.at("dark"), dark);
      EXPECT_EQ(found.at("paper"), dark ? "rgb(17, 21, 24)" : "rgb(251, 251, 249)");
      EXPECT_EQ(found.at("sections"), 2);
      EXPECT_GE(found.at("charts"), 2 * 4) << "throughput, speed-up, search, and parameters";
      EXPECT_EQ(found.at("charts_drawn"), found.at("charts"));
      EXPECT_GE(found.at("lines"), 2 * (4 + 2 + 11));
    }
  }
}

TEST_F(Browser, TipsAppearAndTheTableSortsAndFilters) {
  const nlohmann::json found = check(demo_page(), 1280, false);
  ASSERT_TRUE(found.contains("tips"));
  EXPECT_EQ(found.at("tips"), 2) << "one for each throughput chart";
  EXPECT_EQ(found.at("rows"), 22);
  EXPECT_EQ(found.at("rows_hidden_by_filter"), 22);
  EXPECT_EQ(found.at("sorts"), true);
}

TEST_F(Browser, EmptyPageHasNoDefects) {
  const nlohmann::json found = check(page(collect({})), 390, false);
  EXPECT_EQ(found.value("defects", nlohmann::json()), nlohmann::json::array());
  EXPECT_EQ(found.value("outside", nlohmann::json()), nlohmann::json::array());
  EXPECT_EQ(found.value("sections", -1), 0);
}

// Hostile texts that C++ has escaped run nothing and break nothing. An image would be refused, and a script would
// throw.
TEST_F(Browser, HostileTextsRunNothing) {
  Sources sources = demo({.problems = 1, .sizes = 2, .trials = 10});
  const std::string evil =
      "</script><script>throw Error('evil')</script><img src=http://127.0.0.1:9/x onerror=evil()>" +
      std::string(300, 'W');
  for (tuning_db::Trial& each : sources.trials) each.device.name = each.session = each.environment.driver = evil;
  for (tuning_db::Winner& each : sources.winners) each.trial.device.name = each.trial.environment.driver = evil;
  for (BenchDocument& each : sources.documents) each.device = evil;
  const nlohmann::json found = check(page(collect(sources)), 390, false);
  EXPECT_EQ(found.value("defects", nlohmann::json()), nlohmann::json::array());
  EXPECT_EQ(found.value("outside", nlohmann::json()), nlohmann::json::array()) << "long words are broken";
  EXPECT_EQ(found.value("sections", -1), 1);
}

// The check itself: a page with an error, an outside resource and something too wide is found out.
TEST_F(Browser, CheckSeesDefects) {
  std::string html = demo_page(1);
  const std::string main = "<main>";
  html.insert(
      html.find(main) + main.size(),
      "<img src=\"http://127.0.0.1:9/x.png\"><p style=\"width:2000px\">wide</p><script>nothing.there()</script>");
  const nlohmann::json found = check(html, 1280, false);
  const std::string defects = found.value("defects", nlohmann::json()).dump();
  EXPECT_THAT(defects, ::testing::HasSubstr("refused"));
  EXPECT_THAT(defects, ::testing::HasSubstr("nothing is not defined"));
  EXPECT_THAT(found.value("outside", nlohmann::json()).dump(), ::testing::HasSubstr("wide"));
}

}  // namespace
}  // namespace upsweep::report
