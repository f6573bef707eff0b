// upsweep plot: what `bench` measured, as a figure.
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "cli/bench_document.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "report/figure.hpp"

namespace upsweep::cli {
namespace {

struct PlotArguments {
  std::string input;
  std::string output;
  std::vector<std::string> problems;
  std::string mode = "cold";
};

// The charts of those names, in the order asked for; all without names.
std::vector<report::Chart> choose(std::vector<report::Chart> charts, const std::vector<std::string>& names) {
  if (names.empty()) return charts;
  std::vector<report::Chart> chosen;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(charts, name, &report::Chart::title);
    if (at == charts.end()) {
      std::vector<std::string> known;
      for (const report::Chart& chart : charts) known.push_back(chart.title);
      throw UsageError(fmt::format("the file has no problem '{}'; it has: {}", name, fmt::join(known, ", ")));
    }
    chosen.push_back(*at);
  }
  return chosen;
}

// Device, date and what else one must know of the figures.
std::array<std::string, 2> caption(const Json& document, const std::string& mode, const std::string& label) {
  // Empty if it is not there.
  const auto text_of = [&label](const Json& object, const char* key) {
    const Json value = object.value(key, Json(""));
    if (value.is_string()) return value.get<std::string>();
    throw InputError(fmt::format("{} was not written by `upsweep bench --output`: '{}' is not text", label, key));
  };
  const Json device = document.value("device", Json::object());
  if (!device.is_object()) {
    throw InputError(fmt::format("{} was not written by `upsweep bench --output`: 'device' is not an object", label));
  }
  std::string text = text_of(device, "name");
  if (text.empty()) text = "unknown device";
  if (const std::string driver = text_of(document, "driver"); !driver.empty()) text += ", driver " + driver;
  for (const char* key : {"compiler", "date"}) {
    if (const std::string each = text_of(document, key); !each.empty()) text += ", " + each;
  }
  return {text, fmt::format("mode {}; medians; GB/s counts the bytes read and written", mode)};
}

int plot_verb(const PlotArguments& arguments, Io& io) {
  const bench::Mode mode = bench::parse_mode(arguments.mode);
  const Json document = read_document(arguments.input);
  const std::string label = base::input_label(arguments.input);
  std::vector<report::Chart> panels = report::throughput_charts(read_cells(document, label), mode);
  if (panels.empty()) {
    throw InputError(fmt::format("{} has no results of mode {}: measure them with `upsweep bench --mode {} --output`",
                                 label, arguments.mode, arguments.mode));
  }
  panels = choose(std::move(panels), arguments.problems);
  const std::string text = report::figure_of(panels, caption(document, arguments.mode, label));
  if (arguments.output == "-") {
    io.bytes() << text;
    return 0;
  }
  base::write_file(arguments.output, text);
  if (io.json) io.print({{"output", arguments.output}, {"panels", panels.size()}});
  io.say(fmt::format("{} written to '{}'", counted(panels.size(), "panel"), arguments.output));
  return 0;
}

}  // namespace

void add_plot(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App* const verb =
      command.add_subcommand("plot", "Draw results of `upsweep bench` as SVG: throughput against size");
  verb->add_option("FILE", arguments->input, "File that `upsweep bench --output` wrote; - for standard input")
      ->required();
  verb->add_option("-o,--output", arguments->output, "SVG file to write, - for standard output")->required();
  verb->add_option("--problem", arguments->problems,
                   "Problems to draw, for example \"inclusive_scan plus i32\" (default: all in the file)");
  verb->add_option("--mode", arguments->mode,
                   "Mode of the results to draw: cold, warm, cold_launched, warm_launched, cold_synchronized or "
                   "warm_synchronized")
      ->capture_default_str();
  verb->footer(
      "The built-in default (`upsweep default`) and the empty kernel are not drawn.\n\nExample:\n  upsweep plot "
      "bench.json -o bench.svg --problem \"inclusive_scan plus i32\"");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return plot_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
