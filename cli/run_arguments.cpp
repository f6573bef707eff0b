#include "cli/run_arguments.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <upsweep/port.hpp>

#include "base/file_bytes.hpp"
#include "base/text.hpp"
#include "cli/array_file.hpp"
#include "generator/algorithm.hpp"
#include "generator/aliases.hpp"
#include "generator/operator.hpp"
#include "generator/shape.hpp"

namespace upsweep::cli {
namespace {

Problem any_problem(const RunArguments& arguments) {
  return problem_of(algorithm_named(arguments.problem.algorithm), arguments.problem.named_operator(), Type::i32,
                    std::nullopt, std::nullopt);
}

// The array of keys or flags that a call reads; none: the algorithm has none.
std::optional<Port> keys_read(const RunArguments& arguments) {
  for (const Port& port : tile_inputs(any_problem(arguments))) {
    if (port.is_key) return port;
  }
  return std::nullopt;
}

// Whether a call writes two arrays: keys, or the items of runs, and their values.
bool writes_keys(const RunArguments& arguments) {
  return tile_outputs(any_problem(arguments)).size() == 2;
}

// The option that was given, if one was.
std::optional<std::string> first_given(const std::vector<std::pair<std::string, const std::string*>>& options) {
  for (const auto& [option, value] : options) {
    if (!value->empty()) return option;
  }
  return std::nullopt;
}

void check_second_threshold(const RunArguments& arguments, const AlgorithmEntry& algorithm) {
  const std::vector<ScalarPort> known = scalars(any_problem(arguments));
  const bool takes = std::ranges::find(known, "second_threshold", &ScalarPort::name) != known.end();
  if (takes && arguments.second_threshold.empty()) {
    throw UsageError(
        "--second-threshold is missing: say what decides on the items that --threshold leaves, as in "
        "--second-threshold 10");
  }
  if (!takes && !arguments.second_threshold.empty()) {
    throw UsageError(
        fmt::format("the algorithm {} has no second threshold: remove --second-threshold, or use three_way_partition",
                    algorithm.name));
  }
}

void check_scalars(const RunArguments& arguments, const AlgorithmEntry& algorithm) {
  if (!arguments.initial.empty() && !algorithm.has_initial) {
    throw UsageError(fmt::format(
        "the algorithm {} has no initial value: remove --initial, or use exclusive_scan or reduce", algorithm.name));
  }
  if (!arguments.threshold.empty() && !algorithm.scalars) {
    throw UsageError(fmt::format(
        "the algorithm {} has no threshold: remove --threshold, or use select_if, select_flagged or nonzero",
        algorithm.name));
  }
  check_second_threshold(arguments, algorithm);
  const OperatorEntry& op = entry_of(arguments.problem.named_operator());
  const bool is_named = !arguments.problem.op.empty();  // the usual operator compares with 0
  if (is_named && arguments.threshold.empty() && algorithm.scalars && !algorithm.key && op.is_predicate) {
    throw UsageError(fmt::format("--threshold is missing: say what {} compares with, as in --threshold 5", op.name));
  }
}

void check_keys(const RunArguments& arguments, const AlgorithmEntry& algorithm) {
  const std::optional<Port> read = keys_read(arguments);
  const auto given = first_given({{"--key", &arguments.key_column}, {"--key-file", &arguments.key_file}});
  if (!read && given) {
    throw UsageError(
        fmt::format("the algorithm {} has no keys or flags: remove {}, or use an algorithm by key or "
                    "select_flagged",
                    algorithm.name, *given));
  }
  if (read && !given) {
    throw UsageError(
        fmt::format("the {0} are missing: name their column of {1} with --key, or a file of {0} with --key-file",
                    read->name, base::input_label(arguments.input)));
  }
  if (!writes_keys(arguments) && !arguments.key_output.empty()) {
    throw UsageError(fmt::format("the algorithm {} has no keys to write: remove --key-output", algorithm.name));
  }
  if (!arguments.key_format.empty() && arguments.key_format != "auto" && arguments.key_file.empty()) {
    throw UsageError("--key-format is the format of --key-file: name that file, or remove --key-format");
  }
  if (arguments.input == "-" && arguments.key_file == "-") {
    throw UsageError("INPUT and --key-file both read standard input: name a file for one of them");
  }
}

// Whether two paths name one file, which need not exist.
bool are_same(const std::string& a, const std::string& b) {
  std::error_code error;
  const auto resolved = [&](const std::string& path) { return std::filesystem::weakly_canonical(path, error); };
  return !a.empty() && !b.empty() && resolved(a) == resolved(b) && !error;
}

void check_outputs(const RunArguments& arguments, const Io& io) {
  const Format named = parse_format(arguments.output_format);
  const std::string main = arguments.output.empty() ? "-" : arguments.output;
  if (io.json && arguments.output == "-") {
    throw UsageError("--json and -o - both write to standard output: name a file with -o, or remove one of them");
  }
  if (arguments.key_output == "-") {
    throw UsageError("--key-output takes a file: without it, keys are a column of the output");
  }
  (void)output_format(main, named);
  if (!arguments.key_output.empty()) (void)output_format(arguments.key_output, named);
  if (!arguments.key_output.empty() && are_same(arguments.key_output, arguments.output)) {
    throw UsageError(
        fmt::format("-o and --key-output both name '{}': name two files, or remove --key-output to have "
                    "both columns in one text",
                    arguments.output));
  }
  if (!writes_keys(arguments) || !arguments.key_output.empty()) return;
  if (const Format format = output_format(main, named); format != Format::text) {
    throw UsageError(
        fmt::format("{} takes one array, but there are keys and values: name a second file for the keys "
                    "with --key-output, or write text",
                    format == Format::npy ? ".npy" : "raw binary"));
  }
}

void check_segments(const RunArguments& arguments) {
  if (!arguments.problem.segment_length.empty()) {
    throw UsageError("run goes by the offsets of segments, not by --segment-length: name their file with --segments");
  }
  if (arguments.segments.empty() && !arguments.segment_ends.empty()) {
    throw UsageError("--segment-ends needs the file of where segments begin: name it with --segments");
  }
  if (arguments.unordered_segments && arguments.segment_ends.empty()) {
    throw UsageError(
        "--unordered-segments needs where each segment begins and where it ends: name the files with --segments and "
        "--segment-ends");
  }
  if (arguments.segments.empty()) return;
  Problem segments;
  segments.algorithm = algorithm_named(arguments.problem.algorithm);
  segments.shape = Shape::segments;
  segments.key = Type::u32;
  validate_shape(segments);
  if (!arguments.axis.empty() || !arguments.problem.row_length.empty()) {
    throw UsageError(fmt::format("--segments and {} both divide the items: remove one of them",
                                 arguments.axis.empty() ? "--row-length" : "--axis"));
  }
  if (arguments.input == "-" && arguments.segments == "-") {
    throw UsageError("INPUT and --segments both read standard input: name a file for one of them");
  }
  if (arguments.segment_ends == "-" && (arguments.input == "-" || arguments.segments == "-")) {
    throw UsageError(fmt::format("{} and --segment-ends both read standard input: name a file for one of them",
                                 arguments.input == "-" ? "INPUT" : "--segments"));
  }
}

void check_rows(const RunArguments& arguments) {
  if (arguments.axis.empty()) return;
  Problem rows;
  rows.algorithm = algorithm_named(arguments.problem.algorithm);
  rows.shape = Shape::rows;
  validate_shape(rows);
  if (!arguments.problem.row_length.empty()) {
    throw UsageError("--axis and --row-length both say what a row is: remove one of them");
  }
  (void)axis_named(arguments.axis);
}

}  // namespace

int axis_named(const std::string& text) {
  int axis = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, axis);
  if (error == std::errc{} && stop == end) return axis;
  throw UsageError(
      fmt::format("--axis '{}' is not a whole number: use the number of a dimension, from 0, or -1 for the "
                  "last one",
                  base::clipped(text)));
}

void check(const RunArguments& arguments, const Io& io) {
  arguments.problem.check_names();
  for (const std::string* format : {&arguments.format, &arguments.key_format}) (void)parse_format(*format);
  const AlgorithmEntry& algorithm = entry_of(algorithm_named(arguments.problem.algorithm));
  check_outputs(arguments, io);
  check_scalars(arguments, algorithm);
  check_keys(arguments, algorithm);
  check_rows(arguments);
  check_segments(arguments);
}

}  // namespace upsweep::cli
