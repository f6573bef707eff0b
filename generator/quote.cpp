#include "generator/quote.hpp"

#include <fmt/format.h>

namespace upsweep {

std::string clipped(std::string_view text) {
  constexpr std::size_t most = 200;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a letter of UTF-8
  return fmt::format("{}... ({} bytes)", text.substr(0, end), text.size());
}

}  // namespace upsweep
