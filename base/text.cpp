#include "base/text.hpp"

#include <fmt/format.h>

namespace upsweep::base {
namespace {

constexpr char lead = '\xc2';  // of the letters U+0080 to U+00BF in UTF-8

// Of one byte, or of two that start with `lead`.
bool is_control(std::string_view letter) {
  const auto last = static_cast<unsigned char>(letter.back());
  return letter.size() == 2 ? last >= 0x80 && last < 0xa0 : last < 0x20 || last == 0x7f;
}

}  // namespace

std::string show_controls(std::string_view text, std::string_view kept, std::string_view escape) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const bool two = text[at] == lead && at + 1 < text.size() && is_control(text.substr(at, 2));
    const std::string_view letter = text.substr(at, two ? 2 : 1);
    // The second byte is what the letter is in Unicode.
    shown += is_control(letter) && kept.find(letter) == kept.npos
                 ? fmt::format("{}{:02x}", escape, static_cast<unsigned char>(letter.back()))
                 : std::string(letter);
    at += letter.size();
  }
  return shown;
}

std::string clipped(std::string_view text) {
  constexpr std::size_t most = 200;
  if (text.size() <= most) return show_controls(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a letter of UTF-8
  return fmt::format("{}... ({} bytes)", show_controls(text.substr(0, end)), text.size());
}

}  // namespace upsweep::base
