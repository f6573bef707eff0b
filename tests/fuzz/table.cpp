// Text tables. Input: a byte for the type, a byte for the column, then the file.
#include "cli/text_table.hpp"

#include <algorithm>
#include <array>

#include "cli/array_file.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  constexpr std::array columns{"", "1", "2", "3", "value", "a,b"};
  fuzz::Input input(data, size);
  const Type type = all_types()[input.below(all_types().size())];
  cli::ReadOptions options{.type = type, .format = cli::Format::text};
  options.column = columns[input.below(columns.size())];
  const std::span<const std::byte> file = std::as_bytes(std::span(input.rest()));
  const auto array = fuzz::accepted<InputError, UsageError>([&] {
    return cli::parse_array({file.begin(), file.end()}, "table.csv", options);
  });
  if (!array) return 0;
  fuzz::require(array->type == type && array->bytes.size() == array->items * size_of(type), "no array of that type");
  fuzz::require(input.rest().find('\0') == std::string_view::npos, "a NUL was passed over");
  const auto lines =
      static_cast<std::uint64_t>(std::ranges::count_if(input.rest(), [](char c) { return c == '\n' || c == '\r'; })) +
      1;
  fuzz::require(array->items <= lines, "more items than lines");
  // Written and read again.
  const std::string column = cli::format_column(array->bytes, type);
  const std::span<const std::byte> written = std::as_bytes(std::span(column));
  const auto again = fuzz::accepted<InputError, UsageError>([&] {
    return cli::parse_array({written.begin(), written.end()}, "column.txt", {.type = type});
  });
  if (!again || *again != *array) fuzz::find("does not read back: ", column);
  return 0;
}
