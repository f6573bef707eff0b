// Arrays in files: NumPy's .npy, raw binary, and a column of a text table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/types.hpp>

#include "cli/npy.hpp"
#include "cli/text_table.hpp"

namespace upsweep::cli {

struct Array {
  Type type = Type::i32;
  std::uint64_t items = 0;
  std::vector<std::byte> bytes;        // items * size_of(type), little-endian
  std::vector<std::uint64_t> shape{};  // extents of a .npy file, if ReadOptions asks for them; empty: one dimension

  bool operator==(const Array&) const = default;
};

// How an array is stored. `automatic` goes by the extension (.npy, .bin, .raw, .txt, .csv, .tsv, .dat), and where that
// says nothing, by the content when reading, and is text when writing to standard output.
enum class Format : std::uint8_t { automatic, npy, raw, text };

// The format of that name: auto, npy, raw, text. Throws UsageError naming the known ones.
[[nodiscard]] Format parse_format(std::string_view text);

struct ReadOptions {
  std::optional<Type> type;              // must agree with a .npy file
  std::optional<Type> type_if_unsaid{};  // of raw and text where `type` is not given; neither: that is an error
  Format format = Format::automatic;
  std::string column;  // of a text table: a number counted from 1, or a name in its header line; empty: its only one
  std::optional<std::uint64_t> expected_items;
  Booleans booleans = Booleans::refused;         // of a .npy file
  Dimensions dimensions = Dimensions::one;       // likewise; any: Array has its shape
  std::function<void(const std::string&)> note;  // gets a line on what was guessed and left out, if set
  // The options of the command that these come from, for messages.
  std::string type_option = "--type";
  std::string column_option = "--column";  // empty: the verb has no such option, and a table has one column
  std::string format_option = "--format";  // empty: the verb has no such option
};

// Reads a whole file, or standard input for "-".
//   .npy: versions 1.0 to 3.0, integers and floats of 8 to 64 bits, complex64 and complex128, bool where
//         `booleans` says so; at most one extent above 1.
//   raw:  little-endian items and nothing else.
//   text: one item a line, or a table as in delimited.hpp; when its first line is a header, text_table.hpp says.
// Throws InputError where the file cannot be read or is not what it should be, UsageError where the options do not say
// enough (no type for raw data, no column of several).
[[nodiscard]] Array read_array(const std::string& path, const ReadOptions& options);

// The same for bytes that were read already; `path` is what messages call them and may say their format.
[[nodiscard]] Array parse_array(std::vector<std::byte>&& bytes, const std::string& path, const ReadOptions& options);

// The same, and behind that array those of `others`, which are columns of the same table: all have as many items.
// Throws UsageError if there are others and the file is not text.
[[nodiscard]] std::vector<Array> parse_arrays(std::vector<std::byte>&& bytes, const std::string& path,
                                              const ReadOptions& options, const std::vector<ColumnChoice>& others);

// What a file of that name holds: the format of its extension, and of "-" text, where it is not named. Throws
// UsageError if the extension is not known.
[[nodiscard]] Format output_format(const std::string& path, Format named);

// What goes to a file, or to standard output for "-".
struct OutputContent {
  std::string path;
  Format format = Format::automatic;
  std::span<const Array> arrays;  // several only as text: its columns
};

// Writes files that appear whole or not at all, and all of them or none, but for what fails at the last moment. Throws
// InputError where one cannot be written, UsageError for a format that does not hold the type.
void write_arrays(const std::vector<OutputContent>& contents);
void write_array(const std::string& path, const Array& array, Format format = Format::automatic);

// The bytes that write_arrays() writes of `content`, whose format is named, part by part.
void write_parts(const OutputContent& content, const std::function<void(std::span<const std::byte>)>& write);

}  // namespace upsweep::cli
