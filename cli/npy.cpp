#include "cli/npy.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "base/text.hpp"
#include "generator/value_type.hpp"

namespace upsweep::cli {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;  // of the data in the file

// The type of that kind and size, such as "i4".
std::optional<Type> npy_type(std::string_view kind) {
  for (const Type type : all_types()) {
    if (!kind.empty() && entry_of(type).npy == kind) return type;
  }
  return std::nullopt;
}

[[noreturn]] void damaged(const std::string& label, std::string_view why) {
  throw InputError(fmt::format("{} is not a valid .npy file: {}; save it again with numpy.save", label, why));
}

// The header is a literal of a Python dict: {'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& label) : rest_(text), label_(label) {}

  [[nodiscard]] bool accept(char expected) {
    skip_blanks();
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void require(char expected) {
    if (!accept(expected)) fail(fmt::format("'{}' is missing in its header", expected));
  }

  [[nodiscard]] std::string_view quoted() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    const std::size_t end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail("its header has no quoted name");
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }

  [[nodiscard]] bool boolean() {
    skip_blanks();
    for (const auto& [text, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (!rest_.starts_with(text)) continue;
      rest_.remove_prefix(text.size());
      return value;
    }
    fail("fortran_order in its header is neither True nor False");
  }

  [[nodiscard]] std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> extents;
    require('(');
    while (!accept(')')) {
      extents.push_back(integer());
      if (accept(',')) continue;
      require(')');
      break;
    }
    return extents;
  }

  // Whether the next value is a list: the fields of a structured type.
  [[nodiscard]] bool at_list() {
    skip_blanks();
    return rest_.starts_with('[');
  }

  // Only padding may follow.
  void require_end() {
    skip_blanks();
    if (!rest_.empty()) fail("its header goes on after the dictionary");
  }

  [[noreturn]] void fail(std::string_view why) const { damaged(label_, why); }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }

  [[nodiscard]] std::uint64_t integer() {
    skip_blanks();
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail("its shape contains something other than numbers");
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // a long of Python 2
    return value;
  }

  std::string_view rest_;
  const std::string& label_;
};

struct Fields {
  std::optional<Type> type;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
};

Type parse_description(std::string_view description, const std::string& label, Booleans booleans) {
  if (description == "|b1" && booleans == Booleans::as_u8) return Type::u8;
  const std::string_view kind = description.empty() ? description : description.substr(1);
  const std::optional<Type> known = npy_type(kind);
  const char order = description.empty() ? '\0' : description.front();
  if (!known || std::string_view("<>=|").find(order) == std::string_view::npos) {
    throw InputError(
        fmt::format("{} holds items of NumPy type '{}', which upsweep does not compute with; convert it with "
                    "array.astype to an integer of 8 to 64 bits, a float of 16 to 64 bits, complex64 or complex128",
                    label, base::clipped(description)));
  }
  if (order == '>' && size_of(*known) > 1) {
    throw InputError(
        fmt::format("{} is big-endian ('{}'); convert it with array.astype('<{}')", label, description, kind));
  }
  return *known;
}

Fields parse_fields(std::string_view text, const std::string& label, Booleans booleans) {
  HeaderText header(text, label);
  Fields fields;
  header.require('{');
  while (!header.accept('}')) {
    const std::string_view key = header.quoted();
    header.require(':');
    if (key == "descr") {
      if (header.at_list()) {
        throw InputError(fmt::format(
            "{} holds records with several fields; save one field: numpy.save(file, array['field'])", label));
      }
      fields.type = parse_description(header.quoted(), label, booleans);
    } else if (key == "fortran_order") {
      fields.fortran_order = header.boolean();
    } else if (key == "shape") {
      fields.shape = header.tuple();
    } else {
      header.fail(fmt::format("its header has an unknown key '{}'", base::clipped(key)));
    }
    if (header.accept(',')) continue;
    header.require('}');
    break;
  }
  header.require_end();
  if (!fields.type || !fields.fortran_order || !fields.shape) {
    header.fail("its header lacks descr, fortran_order or shape");
  }
  return fields;
}

// Product of the extents, 1 for an array without dimensions. Its bytes fit in 64 bits too.
std::uint64_t count_items(const Fields& fields, const std::string& label) {
  if (std::ranges::find(*fields.shape, 0u) != fields.shape->end()) return 0;
  const std::uint64_t limit = std::numeric_limits<std::uint64_t>::max() / size_of(*fields.type);
  std::uint64_t items = 1;
  for (const std::uint64_t extent : *fields.shape) {
    if (items > limit / extent) damaged(label, "its shape is too large for any file");
    items *= extent;
  }
  return items;
}

// A scan along one dimension of several is not what upsweep computes. Extents of 1 do not matter.
void check_shape(const std::vector<std::uint64_t>& shape, const std::string& label) {
  if (std::ranges::find(shape, 0u) != shape.end()) return;
  if (std::ranges::count_if(shape, [](std::uint64_t extent) { return extent > 1; }) < 2) return;
  throw InputError(
      fmt::format("{} holds an array of shape ({}), and upsweep computes on one dimension: name one of them with "
                  "--axis to scan or reduce along it, or save array.ravel() to treat it as one array",
                  label, fmt::join(shape, ", ")));
}

// Rows lie one behind the other only in C order.
void check_order(const Fields& fields, const std::string& label) {
  const auto wide = std::ranges::count_if(*fields.shape, [](std::uint64_t extent) { return extent > 1; });
  if (!*fields.fortran_order || wide < 2) return;
  throw InputError(
      fmt::format("{} is stored in Fortran order, in which rows do not lie one behind the other: save "
                  "numpy.ascontiguousarray(array)",
                  label));
}

// Length of the header text, little-endian, after the magic string and the version: 2 bytes in version 1, else 4.
std::pair<std::size_t, std::size_t> header_range(std::span<const std::byte> bytes, const std::string& label) {
  if (!is_npy(bytes)) damaged(label, "it does not start with the bytes 93 'NUMPY'");
  const auto byte_at = [&](std::size_t at) { return std::to_integer<std::size_t>(bytes[at]); };
  if (bytes.size() < magic.size() + 2) damaged(label, "it ends within its header");
  const std::size_t version = byte_at(magic.size());
  if (version < 1 || version > 3) damaged(label, fmt::format("its format version is {}, not 1 to 3", version));
  const std::size_t width = version == 1 ? 2 : 4;
  const std::size_t start = magic.size() + 2 + width;
  if (bytes.size() < start) damaged(label, "it ends within its header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= byte_at(magic.size() + 2 + i) << (8 * i);
  if (bytes.size() - start < length) damaged(label, "it ends within its header");
  return {start, length};
}

}  // namespace

bool is_npy(std::span<const std::byte> bytes) noexcept {
  return base::as_text(bytes).starts_with(magic);
}

NpyHeader parse_npy(std::span<const std::byte> bytes, const std::string& label, Booleans booleans,
                    Dimensions dimensions) {
  const auto [start, length] = header_range(bytes, label);
  const Fields fields = parse_fields(base::as_text(bytes).substr(start, length), label, booleans);
  const NpyHeader header{*fields.type, count_items(fields, label), start + length, *fields.shape};
  dimensions == Dimensions::one ? check_shape(header.shape, label) : check_order(fields, label);
  const std::uint64_t expected = header.items * size_of(header.type);
  const std::uint64_t present = bytes.size() - header.data_offset;
  if (present < expected) {
    throw InputError(
        fmt::format("{} is cut short: it holds {} of the {} bytes that its header announces; copy it again", label,
                    present, expected));
  }
  if (present > expected) {
    throw InputError(
        fmt::format("{} has {} more bytes after its array; save one array per file", label, present - expected));
  }
  return header;
}

std::string npy_header(Type type, std::span<const std::uint64_t> shape) {
  const std::string& kind = entry_of(type).npy;
  if (kind.empty()) {
    throw UsageError(fmt::format(".npy has no {} type; write raw (.bin) or text (.txt) instead", name(type)));
  }
  std::string text =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}", size_of(type) == 1 ? '|' : '<',
                  kind, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t prefix = magic.size() + 4;  // version and length
  const std::size_t unpadded = prefix + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  text.push_back('\n');
  const char length[2] = {static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return fmt::format("{}\x01{}{}{}{}", magic, '\0', length[0], length[1], text);
}

}  // namespace upsweep::cli
