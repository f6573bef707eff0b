#include "cli/named_device.hpp"

#include <filesystem>
#include <iterator>
#include <optional>

#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "base/environment.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/known_devices.hpp"

namespace upsweep::cli {
namespace {

using tuning_db::Winner;

std::vector<Winner> own_winners(const std::string& chosen) {
  std::filesystem::path path;
  try {
    path = tuning_db::Database::path_of(chosen);
  } catch (const UsageError&) {
    return {};  // no home to look in: the shipped results serve
  }
  if (path.empty() || !tuning_db::Database::is_there(path)) return {};
  return tuning_db::Database(path, tuning_db::Database::Mode::read_only).winners();
}

}  // namespace

std::string architecture_named(const std::string& text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return text;
  std::string digits = text;
  std::erase(digits, '.');
  return "sm_" + digits;
}

void add_for(CLI::App& verb, std::string& device) {
  verb.add_option(
      "--for", device,
      "Name of a device that has tuning results, such as \"NVIDIA H200\", or \"NVIDIA H200/16\" for a part of 16 "
      "multiprocessors; it need not be in this machine");
}

NamedDevice find_device(const std::string& name, const Problem& problem, const std::string& database) {
  NamedDevice found;
  const std::optional<std::string> pinned = base::environment("UPSWEEP_PINNED_DB");
  const bool is_pinned = pinned && !pinned->empty();
  found.winners = is_pinned ? tuning_db::pinned_winners(*pinned) : own_winners(database);
  std::vector<DeviceIdentity> known = tuning_db::devices_of(found.winners);
  // A device of which the pinned file has no results has built-in defaults.
  for (DeviceIdentity& device : tuning_db::shipped_devices()) known.push_back(std::move(device));
  if (!is_pinned) {
    std::vector<Winner> shipped = tuning_db::shipped_winners_for(problem);
    found.winners.insert(found.winners.end(), std::make_move_iterator(shipped.begin()),
                         std::make_move_iterator(shipped.end()));
  }
  found.identity = tuning_db::device_named(name, known);
  found.limits = tuning_db::limits_of(found.identity);
  return found;
}

tuning_db::Choice choose(const NamedDevice& device, const Problem& problem) {
  return tuning_db::choose(problem, device.identity, device.limits, device.winners);
}

}  // namespace upsweep::cli
