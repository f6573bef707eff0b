#include "cli/array_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <list>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "cli/count.hpp"
#include "cli/plain_text.hpp"
#include "generator/names.hpp"

namespace upsweep::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are read as they are");

constexpr std::size_t sample_bytes = 4096;  // enough to tell text from binary
constexpr std::size_t items_a_write = std::size_t{1} << 16;

constexpr std::array<std::pair<std::string_view, Format>, 4> formats = {
    {{"auto", Format::automatic}, {"npy", Format::npy}, {"raw", Format::raw}, {"text", Format::text}}};

constexpr std::array<std::pair<std::string_view, Format>, 7> extensions = {{{".npy", Format::npy},
                                                                            {".bin", Format::raw},
                                                                            {".raw", Format::raw},
                                                                            {".txt", Format::text},
                                                                            {".csv", Format::text},
                                                                            {".tsv", Format::text},
                                                                            {".dat", Format::text}}};

// In lower case; empty for standard input and output.
std::string extension_of(const std::string& path) {
  return path == "-" ? std::string() : lower(std::filesystem::path(path).extension().string());
}

Format format_of_extension(const std::string& path) {
  const std::string extension = extension_of(path);
  const auto* const known = std::ranges::find(extensions, extension, &std::pair<std::string_view, Format>::first);
  return known == extensions.end() ? Format::automatic : known->second;
}

Format format_of_content(std::span<const std::byte> bytes, const ReadOptions& options, const std::string& label) {
  if (is_npy(bytes)) return Format::npy;
  const std::span<const std::byte> sample = bytes.first(std::min(bytes.size(), sample_bytes));
  if (looks_like_text(sample)) return Format::text;
  if (base::as_text(sample).starts_with("PK\x03\x04") || base::as_text(sample).starts_with("\x1f\x8b")) {
    const std::string how = options.format_option.empty() ? "by .npy, .bin or .txt" : "with " + options.format_option;
    throw InputError(
        fmt::format("{} is compressed (.npz, .zip or .gz); unpack it first, or name its format {}", label, how));
  }
  return Format::raw;
}

Type required_type(const ReadOptions& options, const std::string& label, std::string_view what) {
  if (options.type) return *options.type;
  if (options.type_if_unsaid) return *options.type_if_unsaid;
  throw UsageError(
      fmt::format("{} is {}. Such a file does not say which type its items have: add {}, for example {} i32", label,
                  what, options.type_option, options.type_option));
}

Array read_npy(std::vector<std::byte>&& bytes, const ReadOptions& options, const std::string& label) {
  const NpyHeader header = parse_npy(bytes, label, options.booleans, options.dimensions);
  if (options.type && *options.type != header.type) {
    throw InputError(fmt::format(
        "{} holds items of type {}, but {} is {}; give {} {}, or convert the file with array.astype", label,
        name(header.type), options.type_option, name(*options.type), options.type_option, name(header.type)));
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header.data_offset));
  Array array{header.type, header.items, std::move(bytes)};
  if (options.dimensions == Dimensions::any) array.shape = header.shape;
  return array;
}

Array read_raw(std::vector<std::byte>&& bytes, const ReadOptions& options, const std::string& label) {
  const Type type = required_type(options, label, "raw binary");
  if (bytes.size() % size_of(type) != 0) {
    throw InputError(
        fmt::format("{} has {} bytes, which is not a multiple of the size of an {} item ({} bytes); the file is "
                    "truncated, or {} is wrong",
                    label, bytes.size(), name(type), size_of(type), options.type_option));
  }
  const std::uint64_t items = bytes.size() / size_of(type);
  return {type, items, std::move(bytes)};
}

std::vector<Array> read_text(std::span<const std::byte> bytes, const ReadOptions& options,
                             const std::vector<ColumnChoice>& others, const std::string& label) {
  const Type type = required_type(options, label, "text");
  if (!looks_like_text(bytes.first(std::min(bytes.size(), sample_bytes)))) {
    throw InputError(options.format_option.empty()
                         ? fmt::format("{} is not text; name a file of another format .npy or .bin", label)
                         : fmt::format("{0} is not text; give {1} npy or {1} raw", label, options.format_option));
  }
  std::vector<ColumnChoice> choices{{type, options.column, options.column_option, options.type_option}};
  choices.insert(choices.end(), others.begin(), others.end());
  Table table = parse_table(base::as_text(bytes), choices, label);
  if (!table.header.empty() && options.note) {
    options.note(fmt::format("the first line of {} is taken as its header: {}", label, table.header));
  }
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::uint64_t count = table.columns[i].size() / size_of(choices[i].type);
    arrays.push_back({choices[i].type, count, std::move(table.columns[i])});
  }
  return arrays;
}

char separator_of(const std::string& path) {
  return extension_of(path) == ".tsv" ? '\t' : ',';
}

// Only text has columns.
void check_columns(const ReadOptions& options, const std::vector<ColumnChoice>& others, Format format,
                   const std::string& label) {
  if (format == Format::text) return;
  if (!options.column.empty()) {
    throw UsageError(fmt::format("{0} is only for text, but {1} is not text; remove {0}, or give {2} text",
                                 options.column_option, label, options.format_option));
  }
  if (!others.empty()) {
    throw UsageError(
        fmt::format("{0} is only for text, but {1} is not text; name a second file with {0}-file, or give {2} text",
                    others.front().option, label, options.format_option));
  }
}

}  // namespace

Format parse_format(std::string_view text) {
  const auto* const known = std::ranges::find(formats, text, &std::pair<std::string_view, Format>::first);
  if (known != formats.end()) return known->second;
  std::vector<std::string> names;
  for (const auto& [name, format] : formats) names.emplace_back(name);
  throw UsageError(unknown_name("format", text, names));
}

Array read_array(const std::string& path, const ReadOptions& options) {
  return parse_array(base::read_bytes(path), path, options);
}

Array parse_array(std::vector<std::byte>&& bytes, const std::string& path, const ReadOptions& options) {
  return std::move(parse_arrays(std::move(bytes), path, options, {}).front());
}

std::vector<Array> parse_arrays(std::vector<std::byte>&& bytes, const std::string& path, const ReadOptions& options,
                                const std::vector<ColumnChoice>& others) {
  const std::string label = base::input_label(path);
  Format format = options.format;
  if (format == Format::automatic) format = format_of_extension(path);
  if (format == Format::automatic) format = format_of_content(bytes, options, label);
  check_columns(options, others, format, label);
  std::vector<Array> arrays;
  if (format == Format::text) {
    arrays = read_text(bytes, options, others, label);
  } else {
    arrays.push_back(format == Format::npy ? read_npy(std::move(bytes), options, label)
                                           : read_raw(std::move(bytes), options, label));
  }
  const Array& array = arrays.front();
  if (options.expected_items && *options.expected_items != array.items) {
    const bool raw = format == Format::raw;  // elsewhere the type does not decide the number of items
    throw InputError(fmt::format("{} holds {}{}, but --n is {}; correct --n{}, or name another file", label,
                                 counted(array.items, "item"),
                                 raw ? fmt::format(" ({} bytes of {})", array.bytes.size(), name(array.type)) : "",
                                 *options.expected_items, raw ? " or --type" : ""));
  }
  return arrays;
}

Format output_format(const std::string& path, Format named) {
  Format format = named;
  if (format == Format::automatic) format = path == "-" ? Format::text : format_of_extension(path);
  if (format != Format::automatic) return format;
  throw UsageError(fmt::format(
      "the format of '{}' is unknown; use one of the extensions .npy, .bin, .raw, .txt, .csv, .tsv, .dat, or give "
      "--output-format npy, raw or text",
      path));
}

void write_parts(const OutputContent& content, const std::function<void(std::span<const std::byte>)>& write) {
  const Array& first = content.arrays.front();
  if (content.format == Format::npy) {
    const std::string header = npy_header(first.type, first.shape.empty() ? std::vector{first.items} : first.shape);
    write(std::as_bytes(std::span(header)));
  }
  if (content.format != Format::text) return write(first.bytes);
  for (std::uint64_t at = 0; at < first.items; at += items_a_write) {  // bounded text in memory
    const std::uint64_t items = std::min<std::uint64_t>(items_a_write, first.items - at);
    std::vector<ColumnItems> columns;
    for (const Array& array : content.arrays) {
      const std::size_t size = size_of(array.type);
      columns.push_back({std::span(array.bytes).subspan(at * size, items * size), array.type});
    }
    const std::string text = format_columns(columns, separator_of(content.path));
    write(std::as_bytes(std::span(text)));
  }
}

void write_arrays(const std::vector<OutputContent>& contents) {
  std::list<base::OutputFile> files;
  for (OutputContent content : contents) {
    content.format = output_format(content.path, content.format);
    base::OutputFile& file = files.emplace_back(content.path);
    write_parts(content, [&](std::span<const std::byte> part) { file.write(part); });
  }
  for (base::OutputFile& file : files) file.commit();
}

void write_array(const std::string& path, const Array& array, Format format) {
  write_arrays({{path, format, std::span(&array, 1)}});
}

}  // namespace upsweep::cli
