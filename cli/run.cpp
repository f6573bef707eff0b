// upsweep run: computes on the user's own data.
#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "cli/arguments.hpp"
#include "cli/array_file.hpp"
#include "cli/command.hpp"
#include "cli/config_text.hpp"
#include "cli/count.hpp"
#include "cli/file_bytes.hpp"
#include "cli/interrupt.hpp"
#include "cli/npy.hpp"
#include "cli/size.hpp"
#include "cli/text_table.hpp"
#include "generator/algorithm.hpp"
#include "generator/aliases.hpp"
#include "generator/space.hpp"
#include "runtime/cancellation.hpp"
#include "runtime/engine.hpp"

namespace upsweep::cli {
namespace {

struct RunArguments {
  ProblemArguments problem;
  std::string input;
  std::string output;  // empty: text on standard output
  std::string initial;
  std::string device = "auto";
  std::string column;
  std::string format = "auto";
  std::string output_format = "auto";
  std::string items;
  std::string config;
  std::string database;
};

struct Outcome {
  Array result;
  double microseconds = 0;
  const char* timed = "";  // what was timed
};

// What `parse` returns. A UsageError of it names the option.
template <typename Parse>
auto of_option(const char* option, Parse&& parse) {
  try {
    return parse();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

// Everything that can be said about the arguments before the input is read.
void check(const RunArguments& arguments, const Io& io) {
  arguments.problem.check_names();
  (void)parse_format(arguments.format);
  (void)parse_format(arguments.output_format);
  const AlgorithmEntry& algorithm = entry_of(algorithm_named(arguments.problem.algorithm));
  if (!arguments.initial.empty() && !algorithm.has_initial) {
    throw UsageError(fmt::format(
        "the algorithm {} has no initial value: remove --initial, or use exclusive_scan or reduce", algorithm.name));
  }
  if (io.json && arguments.output == "-") {
    throw UsageError("--json and -o - both write to standard output: name a file with -o, or remove one of them");
  }
}

// Of the process's own standard input the descriptor is read: a stream takes a directory, or nothing at all, for an
// end.
std::vector<std::byte> read_standard_input(std::istream& in) {
  if (&in == &std::cin) return read_bytes("-");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Array read_input(const RunArguments& arguments, Io& io) {
  const Ticker ticker(io, "1 of 4: reading " + input_label(arguments.input));
  ReadOptions options;
  options.format = parse_format(arguments.format);
  options.column = arguments.column;
  options.note = [&io](const std::string& line) { io.say("upsweep: " + line); };
  if (!arguments.problem.type.empty()) options.type = type_named(arguments.problem.type);
  if (!arguments.items.empty()) options.expected_items = of_option("--n", [&] { return parse_size(arguments.items); });
  if (arguments.input != "-") return read_array(arguments.input, options);
  return parse_array(read_standard_input(io.in()), arguments.input, options);
}

Plan make_plan(Context& context, const Problem& problem, const RunArguments& arguments, Io& io) {
  const Ticker ticker(io, "2 of 4: compiling for " + context.device());
  if (arguments.config.empty()) return context.plan(problem);
  return context.plan(problem, read_config(arguments.config, Space(problem, context.device_limits())));
}

// Device memory for items; never none, so that its address can be passed.
runtime::Buffer buffer_for(runtime::Device& device, std::uint64_t items, Type type) {
  return {device, std::max<std::size_t>(items * size_of(type), 1)};
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
Outcome compute(const Plan& plan, runtime::Device& device, const Array& input, const Scalar& initial, Io& io) {
  const Problem& problem = plan.problem();
  const std::uint64_t items = output_items(problem, input.items);
  const runtime::Buffer in = buffer_for(device, input.items, input.type);
  const runtime::Buffer out = buffer_for(device, items, problem.output);
  if (!input.bytes.empty()) device.copy_to_device(in.data(), input.bytes.data(), input.bytes.size(), nullptr);
  plan.prepare(input.items);
  const auto call = [&] { plan.run(in.data(), out.data(), input.items, initial); };

  const double expected_us =
      expected_time(device, input.items, [&](std::uint64_t first) { plan.run(in.data(), out.data(), first, initial); });
  const Ticker ticker(io, [label = device.label(), expected_us, begin = Clock::now()] {
    return computing_line(label, expected_us, Clock::now() - begin);
  });
  Outcome outcome;
  const bool warm = device.target() == Target::cuda;
  if (warm) call();
  outcome.microseconds = device.elapsed_us(nullptr, call);
  outcome.timed = warm ? "device time of a second, warm call" : "host time of the call";
  outcome.result = {problem.output, items, std::vector<std::byte>(items * size_of(problem.output))};
  if (items > 0) device.copy_to_host(outcome.result.bytes.data(), out.data(), outcome.result.bytes.size(), nullptr);
  return outcome;
}

void write_stream(std::ostream& out, const Array& result, Format format) {
  const std::span<const std::byte> bytes = result.bytes;
  if (format == Format::npy) out << npy_header(result.type, result.items);
  if (format == Format::npy || format == Format::raw) {
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return;
  }
  const std::size_t step = (std::size_t{1} << 16) * size_of(result.type);  // bounded text in memory
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    out << format_column(bytes.subspan(at, std::min(step, bytes.size() - at)), result.type);
  }
}

// Numbers as JSON has them; what it lacks, infinities, NaN and complex values, as text.
Json json_of(const Array& array) {
  Json values = Json::array();
  for (std::size_t at = 0; at < array.bytes.size(); at += size_of(array.type)) {
    Scalar scalar;
    scalar.type = array.type;
    std::memcpy(scalar.bytes.data(), array.bytes.data() + at, size_of(array.type));
    const std::string text = to_string(scalar);
    Json number = Json::parse(text, nullptr, false);
    const bool is_number = number.is_number() && !is_complex(array.type);
    values.push_back(is_number ? std::move(number) : Json(text));
  }
  return values;
}

Json document(const Plan& plan, const Context& context, const RunArguments& arguments, const Outcome& outcome) {
  Json json{{"problem", cli::json_of(plan.problem())},
            {"input", arguments.input},
            {"device", cli::json_of(context.device_identity(), context.device())},
            {"config", cli::json_of(plan.config())},
            {"rung", plan.rung()},
            {"reason", plan.reason()},
            {"time_us", outcome.microseconds},
            {"timed", outcome.timed},
            {"items", outcome.result.items}};
  if (arguments.output.empty()) {
    json["values"] = json_of(outcome.result);
  } else {
    json["output"] = arguments.output;
  }
  return json;
}

std::string account(const Plan& plan, const Context& context, const RunArguments& arguments, const Outcome& outcome,
                    const Io& io) {
  std::string text = fmt::format("problem  {}, {} of {}\n", to_string(plan.problem()),
                                 counted(plan.problem().size, "item"), input_label(arguments.input));
  text += fmt::format("device   {} ({})\n", context.device(), context.device_identity().name);
  text += fmt::format("config   {}\n", config_line(io, plan.config(), plan.problem(), context.device_limits()));
  text += fmt::format("rung     {}: {}\n", plan.rung(), plan.reason());
  text += fmt::format("time     {} ({})\n", format_time(outcome.microseconds), outcome.timed);
  if (!arguments.output.empty() && arguments.output != "-") {
    text += fmt::format("output   '{}', {} of {}\n", arguments.output, counted(outcome.result.items, "item"),
                        name(outcome.result.type));
  }
  return text;
}

void write_output(const RunArguments& arguments, const Array& result, Io& io) {
  const Format format = parse_format(arguments.output_format);
  if (arguments.output.empty() || arguments.output == "-") {
    if (!io.json) write_stream(io.bytes(), result, format);
    return;
  }
  const Ticker ticker(io, "4 of 4: writing " + input_label(arguments.output));
  write_array(arguments.output, result, format);
}

int run(const RunArguments& arguments, Io& io) {
  check(arguments, io);
  const Array input = read_input(arguments, io);
  const Problem problem = arguments.problem.problem(input.type, input.items);
  if (is_compact(problem)) {
    throw UsageError(
        fmt::format("upsweep run computes scans and reduces of files, not {}: call it from a program "
                    "(the page \"Guide\", \"Selections\")",
                    name(problem.algorithm)));
  }
  const Scalar initial =
      arguments.initial.empty()
          ? identity(problem.op, problem.accumulator)
          : of_option("--initial", [&] { return parse_scalar(problem.accumulator, arguments.initial); });
  Context context({.device = arguments.device, .database = arguments.database});
  std::optional<Plan> made;
  Outcome outcome;
  {
    // While files are read and written, a signal ends the process as any other.
    const Interrupt interrupt(
        [&io] { io.say("stopping; no result is written (a second Ctrl-C ends the process at once)"); });
    const runtime::CancellationScope scope(interrupt.token());
    try {
      made.emplace(make_plan(context, problem, arguments, io));
      outcome = compute(*made, context.engine()->device(), input, initial, io);
    } catch (const runtime::Cancelled&) {
      return interrupted;
    }
    if (interrupt.token().stop_requested()) return interrupted;
  }
  const Plan& plan = *made;
  write_output(arguments, outcome.result, io);
  io.flush();
  if (io.json) io.print(document(plan, context, arguments, outcome));
  io.say(account(plan, context, arguments, outcome, io));
  return 0;
}

}  // namespace

void add_run(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* const verb = command.add_subcommand("run", "Compute a scan or reduction of a file");
  arguments->problem.add_to(*verb, ProblemArguments::Need::not_the_type);
  verb->add_option("INPUT", arguments->input, "File to read, - for standard input: .npy, raw binary or text")
      ->required();
  verb->add_option("-o,--output", arguments->output,
                   "File to write, - for standard output (default: text on standard output)");
  verb->add_option("--initial", arguments->initial,
                   "Initial value of an exclusive_scan or reduce (default: the identity of the operator)");
  verb->add_option("--column", arguments->column, "Column of a text table: its name, or its number from 1");
  verb->add_option("--format", arguments->format, "Format of the input: auto, npy, raw or text")->capture_default_str();
  verb->add_option("--output-format", arguments->output_format, "Format of the output: auto, npy, raw or text")
      ->capture_default_str();
  verb->add_option("--n", arguments->items,
                   "Expected number of items; if the input has a different number, that is an error");
  add_config(*verb, arguments->config);
  add_device(*verb, arguments->device);
  add_database(*verb, arguments->database);
  verb->footer(
      "Example:\n  upsweep run inclusive_scan --op plus --type i32 --column precipitation examples/seattle_rain.csv");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return run(*arguments, io); }; });
}

}  // namespace upsweep::cli
