#include "generator/aliases.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/algorithm.hpp"
#include "generator/catalogues.hpp"
#include "generator/names.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

// Names that say too little, and what they may stand for.
struct Ambiguous {
  std::string_view name;
  std::string_view meant;
};

constexpr std::array ambiguous_names{
    Ambiguous{"char", "use i8 or u8, because a char is signed with some compilers and unsigned with others"},
    Ambiguous{"long", "use i32 or i64, because the width of a long differs between compilers"},
    Ambiguous{"unsigned long", "use u32 or u64, because the width of a long differs between compilers"},
    Ambiguous{"complex", "use c64 (two f32) or c128 (two f64)"},
    Ambiguous{"scan",
              "use inclusive_scan (result i includes item i) or exclusive_scan (result i does not include item i)"},
    Ambiguous{"prefix_sum",
              "use inclusive_scan (result i includes item i) or exclusive_scan (result i does not include item i)"},
};

template <typename Value>
std::optional<Value> find(std::string_view text, std::span<const Value> values) {
  for (const Value value : values) {
    const auto& entry = entry_of(value);
    if (entry.name == text) return value;
    if (std::find(entry.aliases.begin(), entry.aliases.end(), text) != entry.aliases.end()) return value;
  }
  return std::nullopt;
}

// "did you mean 'plus'? ": aliases count as what they stand for.
template <typename Value>
std::string suggestion(std::string_view text, std::span<const Value> values) {
  std::vector<std::string> all;
  for (const Value value : values) all.emplace_back(name(value));
  for (const Value value : values)
    all.insert(all.end(), entry_of(value).aliases.begin(), entry_of(value).aliases.end());
  std::vector<std::string> meant;
  for (const std::string& near : near_names(text, all)) {
    const std::string canonical(name(*find(near, values)));
    if (std::find(meant.begin(), meant.end(), canonical) == meant.end()) meant.push_back(canonical);
  }
  return meant.empty() ? std::string() : fmt::format("did you mean '{}'? ", fmt::join(meant, "' or '"));
}

template <typename Value>
Value named(std::string_view what, std::string_view text, std::span<const Value> values) {
  if (const std::optional<Value> found = find(text, values)) return *found;
  for (const Ambiguous& each : ambiguous_names) {
    if (each.name == text) throw UsageError(fmt::format("the {} '{}' is ambiguous: {}", what, text, each.meant));
  }
  std::vector<std::string_view> canonical, others;
  for (const Value value : values) {
    canonical.push_back(name(value));
    for (const std::string_view alias : entry_of(value).aliases) {
      if (alias.find_first_of(" _<") == alias.npos) others.push_back(alias);  // the short ones
    }
  }
  throw UsageError(fmt::format("unknown {} '{}': {}use one of {} (or {})", what, base::clipped(text),
                               suggestion(text, values), fmt::join(canonical, ", "), fmt::join(others, ", ")));
}

}  // namespace

Type type_named(std::string_view text) {
  return named<Type>("type", text, all_types());
}
Operator operator_named(std::string_view text) {
  return named<Operator>("operator", text, operators().built_in());
}
Algorithm algorithm_named(std::string_view text) {
  return named<Algorithm>("algorithm", text, all_algorithms());
}

}  // namespace upsweep
