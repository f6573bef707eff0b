#include "cli/run_input.hpp"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "base/size.hpp"
#include "cli/count.hpp"
#include "cli/run_offsets.hpp"
#include "generator/algorithm.hpp"
#include "generator/aliases.hpp"
#include "generator/value_type.hpp"

namespace upsweep::cli {
namespace {

// Of the process's own standard input the descriptor is read: a stream takes a directory, or nothing at all, for an
// end.
std::vector<std::byte> read_standard_input(std::istream& in) {
  if (&in == &std::cin) return base::read_bytes("-");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> bytes_of(const std::string& path, Io& io) {
  return path == "-" ? read_standard_input(io.in()) : base::read_bytes(path);
}

ReadOptions options_for_items(const RunArguments& arguments, Io& io) {
  ReadOptions options;
  options.format = parse_format(arguments.format);
  options.column = arguments.column;
  options.note = [&io](const std::string& line) { io.say("upsweep: " + line); };
  if (!arguments.axis.empty() || !arguments.problem.row_pitch.empty()) options.dimensions = Dimensions::any;
  if (!arguments.problem.type.empty()) options.type = type_named(arguments.problem.type);
  if (!arguments.items.empty())
    options.expected_items = of_option("--n", [&] { return base::parse_size(arguments.items); });
  return options;
}

ReadOptions options_for_keys(const RunArguments& arguments, Type usual, Io& io) {
  ReadOptions options;
  options.format = parse_format(arguments.key_format);
  options.format_option = "--key-format";
  options.column = arguments.key_column;
  options.note = [&io](const std::string& line) { io.say("upsweep: " + line); };
  options.type_if_unsaid = usual;
  if (usual == Type::u8) options.booleans = Booleans::as_u8;  // flags
  options.type_option = "--key-type";
  options.column_option = "--key";
  if (!arguments.problem.key_type.empty()) options.type = type_named(arguments.problem.key_type);
  return options;
}

void check_as_many(const RunArguments& arguments, const RunInput& input) {
  if (input.keys->items == input.items.items) return;
  throw InputError(fmt::format("{} holds {}, but {} holds {}: there must be a key or flag for each item",
                               base::input_label(arguments.key_file), counted(input.keys->items, "item"),
                               base::input_label(arguments.input), counted(input.items.items, "item")));
}

// The number of the dimension that --axis names.
std::size_t dimension_of(const RunArguments& arguments, const Array& items) {
  const std::string label = base::input_label(arguments.input);
  if (items.shape.empty()) {
    throw InputError(
        fmt::format("{} is not a .npy file with dimensions, which --axis needs: say how long a row is with "
                    "--row-length, and how far its items are apart with --inner",
                    label));
  }
  const int axis = axis_named(arguments.axis), rank = static_cast<int>(items.shape.size());
  if (axis < -rank || axis >= rank) {
    throw InputError(fmt::format("--axis {} is not a dimension of {}, whose shape is ({}): use a number from {} to {}",
                                 axis, label, fmt::join(items.shape, ", "), -rank, rank - 1));
  }
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

// The product of extents of the file.
std::uint64_t product_of(const RunArguments& arguments, const Array& items, std::size_t begin, std::size_t end) {
  std::uint64_t product = 1;
  for (std::size_t i = begin; i < end; ++i) {
    if (!__builtin_mul_overflow(product, items.shape[i], &product)) continue;
    throw InputError(fmt::format("{} has more rows than upsweep can number: its shape is ({})",
                                 base::input_label(arguments.input), fmt::join(items.shape, ", ")));
  }
  return product;
}

Axis axis_of(const RunArguments& arguments, const Array& items, std::size_t dimension) {
  if (!arguments.axis.empty()) {
    return axis(product_of(arguments, items, 0, dimension), items.shape[dimension],
                product_of(arguments, items, dimension + 1, items.shape.size()));
  }
  const std::uint64_t length = row_length_named(arguments.problem.row_length);
  const std::uint64_t inner = arguments.problem.inner.empty() ? 1 : inner_named(arguments.problem.inner);
  if (items.items % length == 0 && items.items / length % inner == 0) {
    return axis(items.items / length / inner, length, inner);
  }
  throw InputError(
      inner == 1
          ? fmt::format("{} holds {}, which are not rows of {}: use a --row-length that divides their number",
                        base::input_label(arguments.input), counted(items.items, "item"), length)
          : fmt::format("{} holds {}, which are not parts of {} by {}: use a --row-length and an --inner whose product "
                        "divides their number",
                        base::input_label(arguments.input), counted(items.items, "item"), length, inner));
}

// The first items of rows of a larger array: behind the last row, there may be a gap or not.
Rows sliced_rows(const RunArguments& arguments, const Array& items) {
  const std::uint64_t length = row_length_named(arguments.problem.row_length);
  const std::uint64_t pitch = row_pitch_named(arguments.problem.row_pitch);
  const std::uint64_t whole = items.items / pitch, rest = items.items % pitch;
  if (pitch >= length && (rest == 0 || rest == length)) {
    const bool reduces = algorithm_named(arguments.problem.algorithm) == Algorithm::reduce;
    return rows(whole + (rest == 0 ? 0 : 1), length).pitch(pitch, reduces ? pitch : length);
  }
  if (pitch < length) {
    throw UsageError(fmt::format("--row-pitch {} is below --row-length {}: rows would overlap", pitch, length));
  }
  throw InputError(
      fmt::format("{} holds {}, which are not rows of {} with a pitch of {}: use a --row-pitch that divides their "
                  "number, or that leaves one --row-length behind the last whole pitch",
                  base::input_label(arguments.input), counted(items.items, "item"), length, pitch));
}

// Sets how the items are divided, where --axis or --row-length says so.
void divide(const RunArguments& arguments, RunInput& input) {
  if (arguments.axis.empty() && arguments.problem.row_length.empty()) return;
  if (!arguments.problem.row_pitch.empty()) {
    input.items.shape.clear();  // results are rows, whatever the file was
    input.rows = sliced_rows(arguments, input.items);
    return;
  }
  if (!arguments.axis.empty()) input.dimension = dimension_of(arguments, input.items);
  const Axis axis = axis_of(arguments, input.items, input.dimension);
  if (axis.inner() == 1) {
    input.rows = rows(axis.outer(), axis.length());
  } else {
    input.axis = axis;
  }
}

// The integers of 32 or 64 bits in a file.
Array read_offsets(const RunArguments& arguments, const std::string& file, Io& io) {
  const std::string label = base::input_label(file);
  ReadOptions options;
  options.note = [&io](const std::string& line) { io.say("upsweep: " + line); };
  options.type_if_unsaid = Type::i64;
  options.type_option = "--key-type";
  options.column_option = options.format_option = "";
  options.dimensions = Dimensions::any;
  if (!arguments.problem.key_type.empty()) options.type = type_named(arguments.problem.key_type);
  Array offsets = parse_array(bytes_of(file, io), file, options);
  if (std::ranges::count_if(offsets.shape, [](std::uint64_t extent) { return extent > 1; }) > 1) {
    throw InputError(
        fmt::format("{} holds an array of shape ({}), but offsets of segments have one dimension: save "
                    "them as one row; if they are where segments begin and where they end, as two files, "
                    "for --segments and --segment-ends",
                    label, fmt::join(offsets.shape, ", ")));
  }
  offsets.shape.clear();
  if (!is_integer(offsets.type) || size_of(offsets.type) < 4) {
    throw InputError(
        fmt::format("{} holds {}: offsets of segments are i32, u32, i64 or u64", label, name(offsets.type)));
  }
  return offsets;
}

// Sets where segments begin and end, where --segments says so. As no offset is negative, signed ones have the same bits
// as unsigned ones.
void read_segments(const RunArguments& arguments, RunInput& input, Io& io) {
  if (arguments.segments.empty()) return;
  const auto unsigned_type = [](const Array& offsets) { return size_of(offsets.type) == 4 ? Type::u32 : Type::u64; };
  const std::string label = base::input_label(arguments.segments);
  input.offsets = read_offsets(arguments, arguments.segments, io);
  if (arguments.segment_ends.empty()) {
    check_offsets(label, *input.offsets, input.items.items);
  } else {
    input.segment_ends = read_offsets(arguments, arguments.segment_ends, io);
    input.segments_are_unordered = arguments.unordered_segments;
    const bool folds = algorithm_named(arguments.problem.algorithm) == Algorithm::reduce;
    check_pairs(label, *input.offsets, base::input_label(arguments.segment_ends), *input.segment_ends,
                input.items.items, {.may_come_in_any_order = arguments.unordered_segments, .may_overlap = folds});
    input.segment_ends->type = unsigned_type(*input.segment_ends);
  }
  input.offsets->type = unsigned_type(*input.offsets);
}

}  // namespace

RunInput read_input(const RunArguments& arguments, Io& io) {
  const Ticker ticker(io, "1 of 4: reading " + base::input_label(arguments.input));
  const std::optional<Type> usual_key = entry_of(algorithm_named(arguments.problem.algorithm)).key;
  const ReadOptions options = options_for_items(arguments, io);
  std::vector<std::byte> bytes = bytes_of(arguments.input, io);
  if (!usual_key) {
    RunInput input{.items = parse_array(std::move(bytes), arguments.input, options)};
    divide(arguments, input);
    read_segments(arguments, input, io);
    return input;
  }

  const ReadOptions key_options = options_for_keys(arguments, *usual_key, io);
  if (arguments.key_file.empty()) {
    const ColumnChoice keys{key_options.type.value_or(*usual_key), key_options.column, key_options.column_option,
                            key_options.type_option};
    std::vector<Array> columns = parse_arrays(std::move(bytes), arguments.input, options, {keys});
    return {.items = std::move(columns[0]), .keys = std::move(columns[1])};
  }
  RunInput input{.items = parse_array(std::move(bytes), arguments.input, options)};
  input.keys = parse_array(bytes_of(arguments.key_file, io), arguments.key_file, key_options);
  check_as_many(arguments, input);
  return input;
}

Problem problem_for(const RunArguments& arguments, const RunInput& input) {
  ProblemArguments named = arguments.problem;
  if (input.keys) named.key_type = name(input.keys->type);
  if (input.offsets) {
    const std::uint64_t count = input.segments();
    named.segment_length = std::to_string(count == 0 ? input.items.items : input.items.items / count);
    named.key_type = name(input.offsets->type);
  }
  if (input.rows) named.row_length = std::to_string(input.rows->length());
  if (input.axis) {
    named.row_length = std::to_string(input.axis->length());
    named.inner = std::to_string(input.axis->inner());
  }
  Problem problem = named.problem(input.items.type, input.n());
  problem.unordered_segments = input.segments_are_unordered;
  return problem;
}

}  // namespace upsweep::cli
