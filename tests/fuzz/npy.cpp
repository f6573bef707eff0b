// .npy files. Input: the file.
#include "cli/npy.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "cli/array_file.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace upsweep::fuzz {
namespace {

// What stands behind the last '"key":', which is the one that counts in Python; only the three keys can stand in an
// accepted header, and no accepted value has quotes around one of them.
std::string_view value_of(std::string_view header, const char* key) {
  const std::string name(key);
  const std::size_t at = std::max(header.rfind("'" + name + "'") + 1, header.rfind('"' + name + '"') + 1);
  require(at > 0, "an accepted header lacks a key");
  const std::size_t colon = header.find(':', at + name.size());
  return header.substr(colon + 1);
}

// The product of the numbers between the parentheses, as a double: exact up to 2^53, and no file has more bytes.
double items_said(std::string_view header) {
  const std::string_view value = value_of(header, "shape");
  double items = 1, extent = 0;
  bool inside = false, digits = false;
  for (const char c : value) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      extent = 10 * extent + (c - '0');
      digits = true;
      continue;
    }
    if (digits && c != 'L') items *= extent, extent = 0, digits = false;
    if (c == '(') inside = true;
    if (c == ')') return items;
    require(inside || c == ' ' || c == '\n', "an accepted shape is no tuple");
  }
  find("an accepted shape has no end: ", std::string(value));
}

void check_header(std::string_view file, const cli::NpyHeader& header) {
  const std::string_view text = file.substr(0, header.data_offset);
  require(header.items * size_of(header.type) == file.size() - header.data_offset, "the data are of another length");
  require(items_said(text) == static_cast<double>(header.items), "the shape says another number of items");
  const std::string_view description = value_of(text, "descr");
  const std::size_t digits = description.find_first_of("0123456789");
  require(digits < 8, "an accepted type has no size");
  require(std::stoul(std::string(description.substr(digits, 2))) == size_of(header.type), "items of another size");
  constexpr std::string_view kinds = "iufc";
  const char kind = is_complex(header.type) ? 'c' : is_floating(header.type) ? 'f' : is_signed(header.type) ? 'i' : 'u';
  require(kinds.find(kind) != kinds.npos && description[digits - 1] == kind, "items of another kind");
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  const auto header = fuzz::accepted<InputError>([&] { return cli::parse_npy(bytes, "'input.npy'"); });
  const auto array = fuzz::accepted<InputError, UsageError>([&] {
    return cli::parse_array({bytes.begin(), bytes.end()}, "input.npy", {});
  });
  fuzz::require(header.has_value() == array.has_value(), "header and file are not accepted alike");
  if (!header) return 0;
  fuzz::check_header({reinterpret_cast<const char*>(data), size}, *header);
  fuzz::require(std::ranges::equal(array->bytes, bytes.subspan(header->data_offset)), "the items are others");
  // Written and read again.
  const std::string written = cli::npy_header(array->type, std::vector{array->items});
  fuzz::require(written.size() % 64 == 0, "the data of a written file are not aligned");
  std::vector<std::byte> file(written.size() + array->bytes.size());
  std::ranges::copy(std::as_bytes(std::span(written)), file.begin());
  std::ranges::copy(array->bytes, file.begin() + static_cast<std::ptrdiff_t>(written.size()));
  fuzz::require(cli::parse_array(std::move(file), "-", {}) == *array, "what was written reads back as something else");
  return 0;
}
