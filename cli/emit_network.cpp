#include "cli/emit_network.hpp"

#include <bit>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "generator/networks.hpp"
#include "report/network_figure.hpp"
#include "tuner/network_run.hpp"

namespace upsweep::cli {
namespace {

constexpr int most_drawn = 64;  // places in a line of text

// Depth and size by the formulas, which are for powers of two.
struct ClosedForm {
  std::uint64_t depth = 0;
  std::uint64_t size = 0;
};

std::optional<ClosedForm> closed_form(const ScanNetwork& network, int n) {
  const auto places = static_cast<std::uint64_t>(n);
  if (!std::has_single_bit(places)) return std::nullopt;
  return ClosedForm{network.depth(places), network.size(places)};
}

std::string row(const char* what, std::optional<std::uint64_t> formula, std::uint64_t counted) {
  return fmt::format("{:<6}  {:>7}{}\n", what, counted, formula ? fmt::format("  {:>11}", *formula) : "");
}

std::string describe(const ScanNetwork& network, const tuner::NetworkRun& run) {
  const std::optional<ClosedForm> formula = closed_form(network, run.places);
  std::string text =
      fmt::format("{}, {} {}\n{}\n\n        counted  closed form\n", network.name, run.places,
                  is_of_warp(network, run.places) ? "lanes of a warp" : "threads of a block", network.meaning);
  text += row("depth", formula ? std::optional(formula->depth) : std::nullopt, run.depth);
  text += row("size", formula ? std::optional(formula->size) : std::nullopt, run.size);
  text += row("steps", std::nullopt, run.steps.size());
  text += fmt::format("\nsource: {}\n\n", network.source);
  if (run.places <= most_drawn) return text + "step  calls\n" + report::network_drawing(run);
  text += "step  calls\n";
  for (std::size_t i = 0; i < run.steps.size(); ++i) text += fmt::format("{:>4}  {:>5}\n", i + 1, run.steps[i].size());
  return text;
}

Json document_of(const ScanNetwork& network, const tuner::NetworkRun& run) {
  Json document{
      {"network", run.name}, {"meaning", network.meaning}, {"source", network.source}, {"radix", network.radix},
      {"n", run.places},     {"depth", run.depth},         {"size", run.size},         {"steps", Json::array()}};
  if (const std::optional<ClosedForm> formula = closed_form(network, run.places)) {
    document["closed_form"] = {{"depth", formula->depth}, {"size", formula->size}};
  }
  for (const auto& step : run.steps) {
    Json calls = Json::array();
    for (const tuner::NetworkCall& call : step) calls.push_back({call.left, call.right, call.to});
    document["steps"].push_back(std::move(calls));
  }
  return document;
}

}  // namespace

void add_network(CLI::App& verb, NetworkArguments& arguments) {
  const std::vector<CLI::Option*> others = verb.get_options();
  std::vector<std::string> names;
  for (const ScanNetwork& network : scan_networks()) names.emplace_back(network.name);
  CLI::Option* const network =
      verb.add_option("--network", arguments.name,
                      fmt::format("Instead of a kernel, show a scan network, as it runs on the host device: {}",
                                  fmt::join(names, ", ")));
  network->each([&verb](const std::string&) {
    for (const char* const name : {"ALGORITHM", "--type"}) verb.get_option(name)->required(false);
  });
  for (CLI::Option* const other : others) {
    if (other != verb.get_help_ptr()) network->excludes(other);
  }
  verb.add_option("--n", arguments.n, "Number of values that the network scans")->capture_default_str()->needs(network);
  verb.add_option("--svg", arguments.svg, "Draw the network as SVG: file to write, - for standard output")
      ->needs(network);
}

int emit_network(const NetworkArguments& arguments, Io& io) {
  const ScanNetwork& network = find_network(arguments.name);
  if (io.json && arguments.svg == "-") {
    throw UsageError("--json and --svg - both write to standard output: name a file with --svg, or remove one of them");
  }
  const tuner::NetworkRun run = tuner::record_network(arguments.name, arguments.n);
  const std::string svg = arguments.svg.empty() ? "" : report::network_svg(run);
  if (arguments.svg == "-") {
    io.bytes() << svg;
    return 0;
  }
  if (!svg.empty()) {
    base::write_file(arguments.svg, svg);
    io.say(fmt::format("written to '{}'", arguments.svg));
  }
  if (io.json) {
    io.print(document_of(network, run));
  } else if (svg.empty()) {
    io.out() << describe(network, run);
  }
  return 0;
}

}  // namespace upsweep::cli
