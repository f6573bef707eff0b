// Tables that are written as RFC 4180 has it read back as what was written. Input: what the table is made of.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <upsweep/scalar.hpp>

#include "cli/array_file.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace upsweep::fuzz {
namespace {

std::string in_quotes(std::string_view text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

// Any text, but for control characters that no text file has; line ends only between quotes.
std::string other_cell(Input& input) {
  std::string text(input.text(input.below(8)));
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; }, '"');
  std::ranges::replace(text, '\x7f', ' ');
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  const bool needs_quotes = text.empty() || text.find_first_not_of(plain) != text.npos;
  return needs_quotes ? in_quotes(text) : text;
}

Scalar value_of(Input& input, Type type) {
  Scalar value{.type = type};
  const std::string_view bytes = input.text(size_of(type));
  std::memcpy(value.bytes.data(), bytes.data(), bytes.size());
  return parse_scalar(type, to_string(value));  // one NaN for all
}

struct Layout {
  char separator = ',';
  const char* line_end = "\n";
  std::size_t columns = 1, chosen = 0;
  bool header = false;
};

std::string line_of(Input& input, const Layout& layout, const std::string& cell) {
  std::string line;
  for (std::size_t column = 0; column < layout.columns; ++column) {
    if (column > 0) line += layout.separator;
    line += column == layout.chosen ? cell : other_cell(input);
  }
  return line + layout.line_end;
}

// Other names than the chosen one's, which start with a letter.
std::string header_of(Input& input, const Layout& layout) {
  std::string line;
  for (std::size_t column = 0; column < layout.columns; ++column) {
    if (column > 0) line += layout.separator;
    const std::string name = column == layout.chosen ? "value" : "x" + std::string(input.text(input.below(4)));
    std::string cell = name;
    std::ranges::replace_if(
        cell, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }, '"');
    line += cell == "value" && input.below(2) == 0 ? cell : in_quotes(cell);
  }
  return line + layout.line_end;
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  fuzz::Input input(data, size);
  const Type type = all_types()[input.below(all_types().size())];
  fuzz::Layout layout;
  layout.separator = std::array{',', ';', '\t'}[input.below(3)];
  layout.line_end = input.below(2) == 0 ? "\n" : "\r\n";
  layout.columns = 1 + input.below(4);
  layout.chosen = input.below(layout.columns);
  layout.header = input.below(2) == 1;
  std::string text = layout.header ? fuzz::header_of(input, layout) : "";
  std::vector<std::byte> expected;
  for (std::size_t rows = 1 + input.below(6); rows > 0; --rows) {
    const Scalar value = fuzz::value_of(input, type);
    expected.insert(expected.end(), value.bytes.begin(),
                    value.bytes.begin() + static_cast<std::ptrdiff_t>(size_of(type)));
    const std::string number = to_string(value);
    text += fuzz::line_of(input, layout, input.below(4) == 0 ? fuzz::in_quotes(number) : number);
  }
  const std::span<const std::byte> file = std::as_bytes(std::span(text));
  cli::ReadOptions options{.type = type, .format = cli::Format::text};
  options.column = layout.header ? "value" : std::to_string(layout.chosen + 1);
  const auto read = fuzz::accepted<InputError, UsageError>([&] {
    return cli::parse_array({file.begin(), file.end()}, "table.csv", options);
  });
  if (!read || read->bytes != expected)
    fuzz::find("column ", options.column, (read ? " is another of:\n" : " is refused of:\n"), text);
  return 0;
}
