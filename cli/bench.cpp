// upsweep bench: this library, CUB and the machine's limits, side by side in one run.
#include <algorithm>
#include <memory>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/file_bytes.hpp"
#include "base/size.hpp"
#include "bench/grid.hpp"
#include "bench/launch_cost.hpp"
#include "cli/arguments.hpp"
#include "cli/bench_arguments.hpp"
#include "cli/bench_document.hpp"
#include "cli/bench_progress.hpp"
#include "cli/bench_table.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "cli/interrupt.hpp"
#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/aliases.hpp"
#include "runtime/context_engine.hpp"

namespace upsweep::cli {
namespace {

// ---- measuring

struct Result {
  std::vector<bench::Cell> cells;
  std::vector<std::string> left_out;
  bool stopped = false;
};

void leave_out(Result& result, const std::string& what, Io& io) {
  io.say("left out: " + what);
  result.left_out.push_back(what);
}

// Rows appear as they are measured: a grid takes minutes.
void show(const bench::Cell& cell, const Context& context, bool grid, Io& io) {
  if (io.json) return;
  const auto text_of = [&](const Config& config) {
    return config_text(io, config, cell.problem, context.device_limits());
  };
  io.out() << (grid ? grid_line(cell) : describe(cell, text_of(cell.config)) + describe_rungs(cell, text_of))
           << std::flush;
}

Result measure(const Context& context, const std::shared_ptr<const bench::Peer>& peer, const bench::Grid& grid,
               const BenchArguments& arguments, Io& io) {
  Result result;
  for (const std::string& each : grid.left_out) leave_out(result, each, io);
  const Interrupt interrupt(
      [&io] { io.say("stopping; all results so far are kept (a second Ctrl-C ends the process at once)"); });
  const base::CancellationScope scope(interrupt.token());
  BenchProgress progress(io, grid.problems, runtime::engine_of(context).device().target(), interrupt.token());
  try {
    const bench::CompareOptions options = parse_options(arguments);
    bench::Comparison comparison(runtime::engine_of(context), peer, options, grid.problems);
    if (!arguments.segment_lengths.empty() && !io.json) {
      io.out() << fmt::format("lengths of segments: {}\n", arguments.length_distribution);
    }
    if (arguments.grid && !io.json) io.out() << grid_header(options.rungs);
    for (const Problem& problem : grid.problems) {
      if (interrupt.token().stop_requested()) break;
      progress.begin(problem);
      if (const std::string why = comparison.obstacle(problem); !why.empty()) {
        leave_out(result, fmt::format("{}, {}: {}", to_string(problem), base::format_items(problem.size), why), io);
        continue;
      }
      for (bench::Cell& cell : comparison.run(problem)) {
        show(cell, context, arguments.grid, io);
        result.cells.push_back(std::move(cell));
      }
    }
  } catch (const base::Cancelled&) {  // the cell in flight is lost
  }
  result.stopped = interrupt.token().stop_requested();
  return result;
}

// ---- what comes of it

Json machine(const Context& context, const std::shared_ptr<const bench::Peer>& peer) {
  const Environment environment = runtime::engine_of(context).environment();
  return {{"device", json_of(context.device_identity(), context.device())},
          {"driver", environment.driver},
          {"compiler", environment.compiler},
          {"generator", environment.generator},
          {"date", tuning_db::utc_now()},
          {"peer", peer ? Json(peer->name()) : Json(nullptr)}};
}

Json document(const Json& machine, const BenchArguments& arguments, const Result& result) {
  Json json = machine;
  json["offset_in"] = arguments.offset_in;
  json["offset_out"] = arguments.offset_out;
  if (!arguments.segment_lengths.empty()) json["length_distribution"] = arguments.length_distribution;
  json["comparisons"] = Json::array();
  for (const bench::Cell& cell : result.cells) json["comparisons"].push_back(json_of(cell));
  json["left_out"] = result.left_out;
  json["stopped"] = result.stopped;
  json["summary"] = Json::array();
  for (const bench::Summary& summary : bench::summarize(result.cells)) json["summary"].push_back(json_of(summary));
  return json;
}

void write(const Json& json, const std::string& path, Io& io) {
  if (path.empty()) return;
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  base::write_file(path, text);
  io.say(fmt::format("the results were written to '{}'", path));
}

void tell_who_is_missing(const Context& context, const std::shared_ptr<const bench::Peer>& peer, Io& io) {
  if (context.device() == "host") {
    io.say("the plain kernels and CUB are not in the table: they need a GPU");
  } else if (!peer) {
    io.say("CUB is not in the table: to add it, build upsweep with -DUPSWEEP_CUB=ON (needs nvcc)");
  }
}

int launch_cost_verb(const Context& context, const bench::Grid& grid, const BenchArguments& arguments, Io& io) {
  Json costs = Json::array();
  for (const Problem& problem : grid.problems) {
    const std::vector<bench::Row> rows = bench::launch_cost(runtime::engine_of(context), problem, arguments.samples);
    Json rows_json = Json::array();
    for (const bench::Row& row : rows) rows_json.push_back(json_of(row));
    costs.push_back({{"problem", json_of(problem)}, {"rows", rows_json}});
    if (!io.json) io.out() << describe_launch_cost(problem, rows);
  }
  Json json = machine(context, nullptr);
  json["launch_cost"] = costs;
  write(json, arguments.output, io);
  if (io.json) io.print(json);
  return 0;
}

int bench_verb(const BenchArguments& arguments, Io& io) {
  bench::Axes axes = parse_axes(arguments);  // bad names are told before a device is opened
  (void)parse_options(arguments);
  if (arguments.output == "-") {
    throw UsageError("--output needs the name of a file; use --json to print the document on standard output");
  }
  const Context context({.device = arguments.device, .database = arguments.database, .record_wanted = false});
  const Target target = runtime::engine_of(context).device().target();
  if (axes.sizes.empty()) axes.sizes = default_sizes(arguments, target);
  const bench::Grid grid = bench::make_grid(axes);
  if (arguments.launch_cost) return launch_cost_verb(context, grid, arguments, io);

  const std::shared_ptr<const bench::Peer> peer = target == Target::host ? nullptr : bench::Peer::find();
  const Result result = measure(context, peer, grid, arguments, io);
  if (arguments.grid && !io.json) {
    for (const bench::Summary& summary : bench::summarize(result.cells)) io.out() << describe(summary);
  }
  const Json json = document(machine(context, peer), arguments, result);
  write(json, arguments.output, io);
  if (io.json) io.print(json);
  io.flush();
  tell_who_is_missing(context, peer, io);
  return result.stopped ? interrupted : 0;
}

void add_problem(CLI::App& verb, BenchArguments& arguments) {
  verb.add_option("ALGORITHM,--algorithm", arguments.algorithms,
                  fmt::format("Algorithms, separated by commas ({}), or all", algorithm_list()))
      ->delimiter(',');
  verb.add_option("--op", arguments.operators, "Operators, separated by commas, or all")->delimiter(',');
  verb.add_option("--type", arguments.types, "Types of the items, separated by commas, or all")->delimiter(',');
  verb.add_option("--accumulate", arguments.accumulate,
                  "Accumulator type (default: the output type if it is given, otherwise the type of the items)");
  verb.add_option("--output-type", arguments.output_type, "Type of the result (default: the accumulator type)");
  verb.add_option("--key-type", arguments.key_type,
                  "Type of the keys of algorithms by key (default: u32) or of the flags of "
                  "select_flagged (default: u8), or of the offsets of segments, u32 or u64 (default: u32), also for "
                  "signed ones");
  verb.add_option("--density", arguments.densities,
                  "Results per item, from 0 to 1, of selections and runs, separated by commas; the nearest of 0, 0.01, "
                  "0.125, 0.5, 0.99 and 1 are used (default: what the test data give)")
      ->delimiter(',');
  verb.add_option("--accuracy", arguments.accuracies, fmt::format("{}; several are separated by commas", accuracy_text))
      ->delimiter(',');
  verb.add_option(
          "--row-length", arguments.row_lengths,
          fmt::format("{}; several are separated by commas. A size is taken down to whole rows", row_length_text))
      ->delimiter(',');
  verb.add_option("--row-pitch", arguments.row_pitches,
                  fmt::format("{}; several are separated by commas", row_pitch_text))
      ->delimiter(',');
  verb.add_option("--inner", arguments.inners, fmt::format("{}; several are separated by commas", inner_text))
      ->delimiter(',');
  verb.add_option("--segment-length", arguments.segment_lengths,
                  fmt::format("{}; several are separated by commas", segment_length_text))
      ->delimiter(',');
  verb.add_option("--length-distribution", arguments.length_distribution,
                  fmt::format("How the lengths of segments are distributed about that mean: {}",
                              fmt::join(tuner::all_length_distributions() | std::views::transform(tuner::name), ", ")))
      ->capture_default_str();
  verb.add_option(
          "--size", arguments.sizes,
          "Numbers of items: 2^20, 100K, 2^10..2^30 (default: five from 2^12 to 2^28; with --grid, powers of two from "
          "2^10 to 2^30 and three other numbers)")
      ->delimiter(',');
}

void add_how(CLI::App& verb, BenchArguments& arguments) {
  verb.add_option("--mode", arguments.modes,
                  "Modes, separated by commas, or all: cold, warm, cold_launched, warm_launched, cold_synchronized, "
                  "warm_synchronized (explained below)")
      ->delimiter(',')
      ->capture_default_str();
  whole_number(verb.add_option("--samples", arguments.samples,
                               "Largest number of samples of each contestant; the table shows their median"),
               1)
      ->capture_default_str();
  verb.add_option("--cell-budget", arguments.cell_budget,
                  "Time limit for one problem and size, for example 150ms (default: no limit; with --grid: 150ms)");
  verb.add_option("--rungs", arguments.rungs,
                  "Also time the config that each of these rungs of the choice gives, separated by commas, or all: "
                  "exact (the winner), nearest_size, nearest_device, type_class, built_in (the default)")
      ->delimiter(',');
  whole_number(
      verb.add_option("--offset-in", arguments.offset_in, "Offset of the input from an aligned address, in items"), 0);
  whole_number(
      verb.add_option("--offset-out", arguments.offset_out, "Offset of the output from an aligned address, in items"),
      0);
  verb.add_flag("--grid", arguments.grid,
                "Print one line per problem and size, and a summary; the defaults are all algorithms, all types and "
                "the operator plus (selections: less)");
  verb.add_flag("--launch-cost", arguments.launch_cost,
                "Instead measure the host time of a call, and compare it with a plain cuLaunchKernel")
      ->excludes("--grid", "--rungs");
}

}  // namespace

void add_bench(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<BenchArguments>();
  CLI::App* const verb =
      command.add_subcommand("bench", "Compare the times of upsweep, CUB, memcpy and plain copy kernels in one run");
  add_problem(*verb, *arguments);
  add_how(*verb, *arguments);
  verb->add_option("-o,--output", arguments->output,
                   "JSON file to write the results to; `upsweep plot` and `upsweep report --bench` read it");
  add_device(*verb, arguments->device);
  add_database(*verb, arguments->database);
  verb->footer(
      "In cold modes, calls rotate through more memory than the L2 cache holds; in warm modes, all calls use the same\n"
      "memory. The modes cold and warm time many calls back to back on the device. In `_launched` modes, the device\n"
      "starts each call as soon as the host has launched it. `_synchronized` modes measure, on the host, the time of\n"
      "one call and of the wait for its result.\nExample:\n"
      "  upsweep bench inclusive_scan --op plus --type i32 --size 2^20 2^28\n"
      "  upsweep bench --grid --type i32,f64 -o bench.json");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return bench_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
