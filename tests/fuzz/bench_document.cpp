// Files of `upsweep bench --output`, as `plot` and `report` read them. Input: the text.
#include "cli/bench_document.hpp"

#include <algorithm>
#include <span>

#include <upsweep/error.hpp>

#include "base/json_text.hpp"
#include "bench/summary.hpp"
#include "report/facts.hpp"
#include "report/figure.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/json_mutator.hpp"

UPSWEEP_FUZZ_JSON(0)

namespace upsweep::fuzz {
namespace {

std::optional<cli::Json> parsed(std::string_view text) {
  try {
    return base::parse_json<cli::Json>(text);
  } catch (const base::BadJson&) {
    return std::nullopt;
  }
}

cli::Json document_of(const std::vector<bench::Cell>& cells) {
  cli::Json list = cli::Json::array();
  for (const bench::Cell& cell : cells) list.push_back(cli::json_of(cell));
  return {{"comparisons", std::move(list)}};
}

void check_plots(const std::vector<bench::Cell>& cells) {
  for (const bench::Mode& mode : bench::all_modes()) {
    const std::vector<report::Chart> charts = report::throughput_charts(cells, mode);
    for (const report::Chart& chart : charts) {
      for (const report::Series& line : chart.series) {
        require(std::ranges::is_sorted(line.marks, {}, &report::Mark::x), "a line's points do not ascend");
      }
    }
    const std::string picture = report::figure_of(charts, {});
    for (const char* number : {"\"nan", "\"-nan", "\"inf", "\"-inf"}) {
      require(picture.find(number) == std::string::npos, "the plot has a coordinate that is not a number");
    }
  }
}

void check_earnings(const std::vector<bench::Cell>& cells) {
  const report::BenchDocument document{"GPU", "", "", cells, 8};
  const report::Earnings earnings = report::earnings_of(std::span(&document, 1));
  require(earnings.cells.size() <= cells.size(), "more is earned than was measured");
  (void)report::earnings_markdown(earnings);
  (void)report::earnings_section(earnings);
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  const std::optional<cli::Json> document = fuzz::parsed({reinterpret_cast<const char*>(data), size});
  if (!document) return 0;
  const auto cells = fuzz::accepted<InputError>([&] { return cli::read_cells(*document, "input"); });
  if (!cells) return 0;
  const cli::Json written = fuzz::document_of(*cells);
  fuzz::require(fuzz::document_of(cli::read_cells(written, "output")) == written, "written cells do not read back");
  for (const bench::Summary& summary : bench::summarize(*cells)) (void)cli::json_of(summary);
  fuzz::check_plots(*cells);
  fuzz::check_earnings(*cells);
  return 0;
}
