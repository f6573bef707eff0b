#include "cli/array_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "cli/count.hpp"
#include "cli/file_bytes.hpp"
#include "cli/npy.hpp"
#include "cli/text_table.hpp"
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

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Format format_of_extension(const std::string& path) {
  std::string extension = path == "-" ? std::string() : std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto* const known = std::ranges::find(extensions, extension, &std::pair<std::string_view, Format>::first);
  return known == extensions.end() ? Format::automatic : known->second;
}

Format format_of_content(std::span<const std::byte> bytes, const std::string& label) {
  if (is_npy(bytes)) return Format::npy;
  const std::span<const std::byte> sample = bytes.first(std::min(bytes.size(), sample_bytes));
  if (looks_like_text(sample)) return Format::text;
  if (as_text(sample).starts_with("PK\x03\x04") || as_text(sample).starts_with("\x1f\x8b")) {
    throw InputError(
        fmt::format("{} is compressed (.npz, .zip or .gz); unpack it first, or name its format with --format", label));
  }
  return Format::raw;
}

Type required_type(const ReadOptions& options, const std::string& label, std::string_view what) {
  if (options.type) return *options.type;
  throw UsageError(fmt::format(
      "{} is {}. Such a file does not say which type its items have: add --type, for example --type i32", label, what));
}

Array read_npy(std::vector<std::byte>&& bytes, const ReadOptions& options, const std::string& label) {
  const NpyHeader header = parse_npy(bytes, label);
  if (options.type && *options.type != header.type) {
    throw InputError(fmt::format(
        "{} holds items of type {}, but --type is {}; give --type {}, or convert the file with array.astype", label,
        name(header.type), name(*options.type), name(header.type)));
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header.data_offset));
  return {header.type, header.items, std::move(bytes)};
}

Array read_raw(std::vector<std::byte>&& bytes, const ReadOptions& options, const std::string& label) {
  const Type type = required_type(options, label, "raw binary");
  if (bytes.size() % size_of(type) != 0) {
    throw InputError(
        fmt::format("{} has {} bytes, which is not a multiple of the size of an {} item ({} bytes); the file is "
                    "truncated, or --type is wrong",
                    label, bytes.size(), name(type), size_of(type)));
  }
  const std::uint64_t items = bytes.size() / size_of(type);
  return {type, items, std::move(bytes)};
}

Array read_text(std::span<const std::byte> bytes, const ReadOptions& options, const std::string& label) {
  const Type type = required_type(options, label, "text");
  if (!looks_like_text(bytes.first(std::min(bytes.size(), sample_bytes)))) {
    throw InputError(fmt::format("{} is not text; give --format npy or --format raw", label));
  }
  Table table = parse_table(as_text(bytes), type, options.column, label);
  if (!table.header.empty() && options.note) {
    options.note(fmt::format("the first line of {} is taken as its header: {}", label, table.header));
  }
  const std::uint64_t count = table.items.size() / size_of(type);
  return {type, count, std::move(table.items)};
}

void write_items(OutputFile& file, const Array& array, Format format) {
  if (format != Format::text) {
    file.write(array.bytes);
    return;
  }
  const std::span<const std::byte> all = array.bytes;
  const std::size_t step = items_a_write * size_of(array.type);
  for (std::size_t at = 0; at < all.size(); at += step) {
    const std::string text = format_column(all.subspan(at, std::min(step, all.size() - at)), array.type);
    file.write(std::as_bytes(std::span(text)));
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
  return parse_array(read_bytes(path), path, options);
}

Array parse_array(std::vector<std::byte>&& bytes, const std::string& path, const ReadOptions& options) {
  const std::string label = input_label(path);
  Format format = options.format;
  if (format == Format::automatic) format = format_of_extension(path);
  if (format == Format::automatic) format = format_of_content(bytes, label);
  if (!options.column.empty() && format != Format::text) {
    throw UsageError(
        fmt::format("--column is only for text, but {} is not text; remove --column, or give --format text", label));
  }
  Array array = format == Format::npy   ? read_npy(std::move(bytes), options, label)
                : format == Format::raw ? read_raw(std::move(bytes), options, label)
                                        : read_text(bytes, options, label);
  if (options.expected_items && *options.expected_items != array.items) {
    const bool raw = format == Format::raw;  // elsewhere the type does not decide the number of items
    throw InputError(fmt::format("{} holds {}{}, but --n is {}; correct --n{}, or name another file", label,
                                 counted(array.items, "item"),
                                 raw ? fmt::format(" ({} bytes of {})", array.bytes.size(), name(array.type)) : "",
                                 *options.expected_items, raw ? " or --type" : ""));
  }
  return array;
}

void write_array(const std::string& path, const Array& array, Format format) {
  if (format == Format::automatic) format = path == "-" ? Format::text : format_of_extension(path);
  if (format == Format::automatic) {
    throw UsageError(fmt::format(
        "the format of '{}' is unknown; use one of the extensions .npy, .bin, .raw, .txt, .csv, .tsv, .dat, or give "
        "--output-format npy, raw or text",
        path));
  }
  const std::string header = format == Format::npy ? npy_header(array.type, array.items) : std::string();
  OutputFile file(path);
  file.write(std::as_bytes(std::span(header)));
  write_items(file, array, format);
  file.commit();
}

}  // namespace upsweep::cli
