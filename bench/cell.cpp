#include "bench/cell.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/names.hpp"

namespace upsweep::bench {
namespace {

using tuner::Caches;
using tuner::Timing;

constexpr std::array<std::string_view, 7> names{"upsweep",    "upsweep_default", "peer",        "memcpy",
                                                "plain_copy", "plain_read",      "empty_kernel"};

constexpr std::array modes{Mode{Caches::cold, Timing::back_to_back}, Mode{Caches::warm, Timing::back_to_back},
                           Mode{Caches::cold, Timing::launched},     Mode{Caches::warm, Timing::launched},
                           Mode{Caches::cold, Timing::synchronized}, Mode{Caches::warm, Timing::synchronized}};

}  // namespace

std::string_view name(Who who) noexcept {
  return names[static_cast<std::size_t>(who)];
}

Who parse_who(std::string_view text) {
  const auto* const at = std::ranges::find(names, text);
  if (at == names.end()) throw UsageError(fmt::format("unknown contestant '{}'", text));
  return static_cast<Who>(at - names.begin());
}

std::string name(const Mode& mode) {
  std::string text = mode.caches == Caches::cold ? "cold" : "warm";
  if (mode.timing == Timing::launched) text += "_launched";
  if (mode.timing == Timing::synchronized) text += "_synchronized";
  if (mode.timing == Timing::enqueued) text += "_enqueued";
  return text;
}

Mode parse_mode(std::string_view text) {
  std::vector<std::string> known;
  for (const Mode& mode : modes) {
    known.push_back(name(mode));
    if (known.back() == text) return mode;
  }
  known.emplace_back("all");
  throw UsageError(unknown_name("mode", text, known));
}

std::span<const Mode> all_modes() noexcept {
  return modes;
}

const Row* Cell::row(Who who) const noexcept {
  const auto at = std::ranges::find(rows, who, &Row::who);
  return at == rows.end() ? nullptr : &*at;
}

const RungCell* Cell::rung_cell(tuning_db::Rung of) const noexcept {
  const auto at = std::ranges::find_if(rungs, [of](const RungCell& each) { return each.choice.rung == of; });
  return at == rungs.end() ? nullptr : &*at;
}

const Row* Cell::config_row(std::string_view label) const noexcept {
  const auto at = std::ranges::find(configs, label, &ConfigCell::label);
  return at == configs.end() || !at->row ? nullptr : &*at->row;
}

}  // namespace upsweep::bench
