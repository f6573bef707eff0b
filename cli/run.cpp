// upsweep run: computes on the user's own data.
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <upsweep/arguments.hpp>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>
#include <upsweep/port.hpp>

#include "base/cancellation.hpp"
#include "base/file_bytes.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "cli/interrupt.hpp"
#include "cli/run_arguments.hpp"
#include "cli/run_arrays.hpp"
#include "cli/run_input.hpp"
#include "cli/run_output.hpp"
#include "generator/algorithm.hpp"
#include "generator/space.hpp"
#include "runtime/context_engine.hpp"

namespace upsweep::cli {
namespace {

struct Outcome {
  RunResults results;
  double microseconds = 0;
  const char* timed = "";  // what was timed
};

Plan make_plan(Context& context, const Problem& problem, const RunArguments& arguments, Io& io) {
  const Ticker ticker(io, "2 of 4: compiling for " + context.device());
  if (arguments.config.empty()) return context.plan(problem);
  return context.plan(problem, read_config(arguments.config, Space(problem, context.device_limits())));
}

// The scalars that options name, as the problem's ports name them. A threshold that is not given is 0: only flags have
// none.
std::vector<std::pair<std::string, Scalar>> scalars_of(const RunArguments& arguments, const Problem& problem) {
  std::vector<std::pair<std::string, Scalar>> values;
  for (const ScalarPort& port : scalars(problem)) {
    const bool is_initial = port.name == "initial";
    const std::string& text = is_initial                 ? arguments.initial
                              : port.name == "threshold" ? arguments.threshold
                                                         : arguments.second_threshold;
    if (is_initial && text.empty()) continue;  // the identity
    const char* const option = is_initial                 ? "--initial"
                               : port.name == "threshold" ? "--threshold"
                                                          : "--second-threshold";
    values.emplace_back(port.name,
                        of_option(option, [&] { return parse_scalar(port.type, text.empty() ? "0" : text); }));
  }
  return values;
}

using Clock = std::chrono::steady_clock;

// Microseconds, as fewer items tell on the host device, where all of them may take minutes; 0: not worth asking.
double expected_time(runtime::Device& device, std::uint64_t items, const std::function<void(std::uint64_t)>& call) {
  constexpr std::uint64_t few = std::uint64_t{1} << 14, many = 64 * few;
  if (device.target() != Target::host || items < many) return 0;
  return device.elapsed_us(nullptr, [&] { call(few); }) * static_cast<double>(items) / static_cast<double>(few);
}

std::string computing_line(const std::string& device, double expected_us, Clock::duration elapsed) {
  const double us = std::chrono::duration<double, std::micro>(elapsed).count();
  if (expected_us <= us) return fmt::format("3 of 4: computing on {}, {:.0f} s so far", device, us * 1e-6);
  const auto left = std::chrono::milliseconds(static_cast<std::int64_t>((expected_us - us) * 1e-3));
  return fmt::format("3 of 4: computing on {}, about {:.0f}%, {} left", device, 100 * us / expected_us,
                     format_duration(left));
}

// The first call on a GPU also pays for loading the kernel, hence a second one is timed there. The host device has no
// such cost and is slow enough for one.
Outcome compute(const Plan& plan, runtime::Device& device, const RunInput& input,
                const std::vector<std::pair<std::string, Scalar>>& scalars, Io& io) {
  const CallArrays arrays(device, plan.problem(), input);
  const std::uint64_t n = input.n();
  plan.prepare(n);
  const auto call_of = [&](std::uint64_t first) {
    Arguments arguments = arrays.arguments(first);
    for (const auto& [name, value] : scalars) arguments.scalar(name, value);
    return [&plan, arguments = std::move(arguments)] { plan.run(arguments); };
  };
  const auto call = call_of(n);

  // Of segments, how many lie among fewer items is not known.
  const double expected_us =
      input.offsets ? 0 : expected_time(device, n, [&](std::uint64_t first) { call_of(first)(); });
  const Ticker ticker(io, [label = device.label(), expected_us, begin = Clock::now()] {
    return computing_line(label, expected_us, Clock::now() - begin);
  });
  Outcome outcome;
  const bool warm = device.target() == Target::cuda;
  if (warm) call();
  outcome.microseconds = device.elapsed_us(nullptr, call);
  outcome.timed = warm ? "device time of a second, warm call" : "host time of the call";
  outcome.results = arrays.results();
  return outcome;
}

Json document(const Plan& plan, const Context& context, const RunArguments& arguments, const Outcome& outcome) {
  Json json{{"problem", cli::json_of(plan.problem())},
            {"input", arguments.input},
            {"device", cli::json_of(context.device_identity(), context.device())},
            {"config", cli::json_of(plan.config())},
            {"rung", plan.rung()},
            {"reason", plan.reason()},
            {"time_us", outcome.microseconds},
            {"timed", outcome.timed}};
  if (plan.problem().unordered_segments) json["unordered_segments"] = true;
  add_results(json, arguments, outcome.results);
  return json;
}

std::string account(const Plan& plan, const Context& context, const RunArguments& arguments, const Outcome& outcome,
                    const Io& io) {
  std::string text = fmt::format("problem  {}, {} of {}\n", to_string(plan.problem()),
                                 counted(plan.problem().size, "item"), base::input_label(arguments.input));
  text += fmt::format("device   {} ({})\n", context.device(), context.device_identity().name);
  text += fmt::format("config   {}\n", config_line(io, plan.config(), plan.problem(), context.device_limits()));
  text += fmt::format("rung     {}: {}\n", plan.rung(), plan.reason());
  text += fmt::format("time     {} ({})\n", format_time(outcome.microseconds), outcome.timed);
  if (is_compact(plan.problem())) {
    std::vector<std::string> parts;
    for (const PartOfResult& part : outcome.results.parts) parts.push_back(fmt::format("{} {}", part.items, part.name));
    text += fmt::format("results  {}{}{}\n", counted(outcome.results.values().front().items, "item"),
                        parts.empty() ? "" : ": ", fmt::join(parts, ", "));
  }
  return text + output_lines(arguments, outcome.results);
}

int run(const RunArguments& arguments, Io& io) {
  check(arguments, io);
  const RunInput input = read_input(arguments, io);
  const Problem problem = problem_for(arguments, input);
  const auto scalars = scalars_of(arguments, problem);
  Context context({.device = arguments.device, .database = arguments.database});
  std::optional<Plan> made;
  Outcome outcome;
  {
    // While files are read and written, a signal ends the process as any other.
    const Interrupt interrupt(
        [&io] { io.say("stopping; no result is written (a second Ctrl-C ends the process at once)"); });
    const base::CancellationScope scope(interrupt.token());
    try {
      made.emplace(make_plan(context, problem, arguments, io));
      outcome = compute(*made, runtime::engine_of(context).device(), input, scalars, io);
    } catch (const base::Cancelled&) {
      return interrupted;
    }
    if (interrupt.token().stop_requested()) return interrupted;
  }
  const Plan& plan = *made;
  write_results(arguments, outcome.results, io);
  io.flush();
  if (io.json) io.print(document(plan, context, arguments, outcome));
  io.say(account(plan, context, arguments, outcome, io));
  return 0;
}

// How the items are divided.
void add_shape(CLI::App& verb, RunArguments& arguments) {
  verb.add_option("--axis", arguments.axis,
                  "The dimension of a .npy file to scan or reduce along: its number from 0, backward from -1");
  verb.add_option("--segments", arguments.segments,
                  "File with the offsets of segments, of which each is scanned or reduced on its own: i32, u32, i64 or "
                  "u64, one more than segments; segment i is items offsets[i] to offsets[i+1] - 1. In the result of a "
                  "scan, items in no segment are 0");
  verb.add_option("--segment-ends", arguments.segment_ends,
                  "File with the offsets at which segments end, where there are gaps; --segments then holds those at "
                  "which they begin");
  verb.add_flag("--unordered-segments", arguments.unordered_segments,
                "The segments of --segments and --segment-ends come in any order; those of a reduce may overlap");
}

}  // namespace

void add_run(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* const verb = command.add_subcommand("run", "Compute a scan, a reduction or a selection of a file");
  arguments->problem.add_to(*verb, ProblemArguments::Need::not_the_type);
  verb->add_option("INPUT", arguments->input, "File to read, - for standard input: .npy, raw binary or text")
      ->required();
  verb->add_option("-o,--output", arguments->output,
                   "File to write, - for standard output (default: text on standard output)");
  verb->add_option("--initial", arguments->initial,
                   "Initial value of an exclusive scan or a reduce (default: the identity of the operator)");
  verb->add_option(
      "--threshold", arguments->threshold,
      "What the predicate of a selection compares with (default for flags, and for nonzero without --op: 0)");
  verb->add_option("--second-threshold", arguments->second_threshold,
                   "What the predicate of three_way_partition compares items with that --threshold leaves");
  verb->add_option("--column", arguments->column, "Column of a text table: its name, or its number from 1");
  verb->add_option("--key,--flags", arguments->key_column,
                   "Column of the keys of an algorithm by key, or the flags of select_flagged: its name, or its number "
                   "from 1");
  verb->add_option("--key-file,--flags-file", arguments->key_file,
                   "File with the keys or flags, if they are not in INPUT; - for standard input");
  verb->add_option("--key-output", arguments->key_output,
                   "File to write the keys of reduce_by_key or unique_by_key, the items of run_length_encode, or the "
                   "offsets of nontrivial_runs, to (default: they are a column before the values)");
  verb->add_option("--format", arguments->format, "Format of the input: auto, npy, raw or text")->capture_default_str();
  verb->add_option("--key-format", arguments->key_format, "Format of --key-file: auto, npy, raw or text")
      ->capture_default_str();
  verb->add_option("--output-format", arguments->output_format, "Format of the output: auto, npy, raw or text")
      ->capture_default_str();
  add_shape(*verb, *arguments);
  verb->add_option("--n", arguments->items,
                   "Expected number of items; if the input has a different number, that is an error");
  add_config(*verb, arguments->config);
  add_device(*verb, arguments->device);
  add_database(*verb, arguments->database);
  verb->footer(
      "Example:\n  upsweep run inclusive_scan --op plus --type i32 --column precipitation examples/seattle_rain.csv\n"
      "  upsweep run select_if --op greater --threshold 300 --type i32 --column precipitation "
      "examples/seattle_rain.csv");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return run(*arguments, io); }; });
}

}  // namespace upsweep::cli
