// Numbers of items as text. Input: the text.
#include "base/size.hpp"

#include <cstring>

#include "tests/fuzz/fuzz.hpp"

namespace upsweep::fuzz {
namespace {

void check_round_trip(std::uint64_t size) {
  if (base::parse_size(base::format_size(size)) != size) find("does not read back: ", base::format_size(size));
}

// The value of plain digits, by another way than the parser's; nothing for a text of another form.
std::optional<std::uint64_t> decimal(std::string_view text) {
  if (text.empty() || text.size() > 19 || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  std::uint64_t value = 0;
  for (const char digit : text) value = 10 * value + static_cast<std::uint64_t>(digit - '0');
  return value;
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = fuzz::accepted<UsageError>([&] { return base::parse_size(text); });
  if (const auto plain = fuzz::decimal(text)) fuzz::require(parsed == plain, "plain digits are another number");
  if (parsed) fuzz::check_round_trip(*parsed);
  std::uint64_t any = 0;
  std::memcpy(&any, data, size < sizeof any ? size : sizeof any);
  fuzz::check_round_trip(any);
  return 0;
}
