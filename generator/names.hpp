// Messages for mistyped names: which known names are near, and the text that says so.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

// The known names that a mistyped one may stand for, the nearest first; empty if none is near. Near are: names that
// differ by few edits (an inserted, deleted, replaced or swapped letter; letter case does not count), else names that
// begin with the text or have it as a word ("items" of "items_per_thread", "H200" of "NVIDIA H200").
[[nodiscard]] std::vector<std::string> near_names(std::string_view text, std::span<const std::string> known);

// "did you mean 'plus'? ", or nothing if no known name is near.
[[nodiscard]] std::string did_you_mean(std::string_view text, std::span<const std::string> known);

// "unknown operator 'plux': did you mean 'plus'? use one of plus, multiplies". `where` says of what: "unknown parameter
// 'items' of schedule lookback: ...".
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view text, std::span<const std::string> known,
                                       std::string_view where = {});

// Names or other things that have names, as text.
template <typename Range>
[[nodiscard]] std::vector<std::string> as_names(const Range& range) {
  std::vector<std::string> names;
  for (const auto& each : range) names.emplace_back(each);
  return names;
}

}  // namespace upsweep
