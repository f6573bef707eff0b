#include "generator/names.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace upsweep {
namespace {

constexpr std::size_t longest = 64;  // longer text is no mistyped name
constexpr std::size_t most_suggestions = 3;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

// Inserted, deleted and replaced letters, and swaps of two neighbouring ones (Damerau 1964, Levenshtein 1966; no letter
// is edited twice).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_ago, last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], two_ago[j - 2] + 1);
    }
    two_ago = last;
    last = now;
  }
  return last.back();
}

// Whether the text is the first letters of the name or a whole word in it.
bool is_part_of(std::string_view text, std::string_view name) {
  if (name.starts_with(text)) return true;
  const auto ends_word = [](char letter) { return letter == '_' || letter == ' ' || letter == '-'; };
  for (std::size_t at = name.find(text, 1); at != name.npos; at = name.find(text, at + 1)) {
    const std::size_t end = at + text.size();
    if (ends_word(name[at - 1]) && (end == name.size() || ends_word(name[end]))) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> near_names(std::string_view text, std::span<const std::string> known) {
  if (text.empty() || text.size() > longest) return {};
  const std::string typed = lower(text);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : known) {
    const std::size_t distance = edits(typed, lower(name));
    // One edit in three letters, and one in short names; but some letter has to be right.
    if (distance <= std::max<std::size_t>(1, typed.size() / 3) && distance < std::min(typed.size(), name.size())) {
      found.emplace_back(distance, name);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [distance, name] : found) {
    if (distance == found.front().first) names.push_back(std::move(name));
  }
  constexpr std::size_t shortest_part = 3;
  if (names.empty() && typed.size() >= shortest_part) {
    for (const std::string& name : known) {
      if (is_part_of(typed, lower(name))) names.push_back(name);
    }
  }
  if (names.size() > most_suggestions) names.clear();  // then the list of all of them says as much
  return names;
}

std::string did_you_mean(std::string_view text, std::span<const std::string> known) {
  const std::vector<std::string> names = near_names(text, known);
  return names.empty() ? std::string() : fmt::format("did you mean '{}'? ", fmt::join(names, "' or '"));
}

std::string unknown_name(std::string_view what, std::string_view text, std::span<const std::string> known,
                         std::string_view where) {
  return fmt::format("unknown {} '{}'{}{}: {}use one of {}", what, base::clipped(text), where.empty() ? "" : " ", where,
                     did_you_mean(text, known), fmt::join(known, ", "));
}

}  // namespace upsweep
