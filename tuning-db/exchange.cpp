#include "tuning-db/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <upsweep/error.hpp>

#include "base/json_text.hpp"
#include "tuning-db/candidates.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::tuning_db {
namespace {

using nlohmann::json;

constexpr std::string_view format_name = "upsweep-tuning-results";

// What two winners may not share.
auto place_of(const Trial& trial) {
  const std::uint64_t size = trial.problem.size;
  return std::tuple(trial.device, place_of_problem(trial), size_class(size), size_side(size), trial.environment.driver,
                    trial.environment.compiler, trial.environment.generator);
}

// Lines in the order of what was measured, then of their own text.
std::vector<std::string> lines_of(const std::vector<Trial>& trials, const SharedParts& parts) {
  using Place = decltype(place_of(Trial{}));
  std::set<std::tuple<Place, std::uint64_t, std::string>> sorted;
  for (const Trial& trial : trials) sorted.emplace(place_of(trial), trial.problem.size, to_json(trial, parts).dump());
  std::vector<std::string> lines;
  for (const auto& entry : sorted) lines.push_back(std::get<2>(entry));
  return lines;
}

std::string array_of(const std::vector<std::string>& lines) {
  if (lines.empty()) return "[]";
  return fmt::format("[\n    {}\n  ]", fmt::join(lines, ",\n    "));
}

template <typename Part>
std::string array_of_parts(const std::vector<Part>& parts) {
  std::vector<std::string> lines;
  for (const Part& part : parts) lines.push_back(to_json(part).dump());
  return array_of(lines);
}

std::string file_of(const std::vector<Trial>& winners, const std::vector<Trial>& others) {
  const SharedParts parts = shared_parts_of(winners, others);
  const std::vector<std::string> winner_lines = lines_of(winners, parts);
  std::vector<std::string> other_lines = lines_of(others, parts);
  std::erase_if(other_lines, [&](const std::string& line) {
    return std::find(winner_lines.begin(), winner_lines.end(), line) != winner_lines.end();
  });
  return fmt::format(
      "{{\n  \"format\": \"{}\",\n  \"version\": {},\n  \"devices\": {},\n  \"environments\": {},\n"
      "  \"winners\": {},\n  \"trials\": {}\n}}\n",
      format_name, exchange_version, array_of_parts(parts.devices), array_of_parts(parts.environments),
      array_of(winner_lines), array_of(other_lines));
}

struct Contents {
  std::vector<Trial> winners;
  std::vector<Trial> trials;
};

json parse_file(std::string_view text) {
  try {
    return base::parse_json<json>(text);
  } catch (const base::BadJson& error) {
    throw InputError(fmt::format("the file is not valid JSON ({}): export the results again", error.what()));
  }
}

Contents parse(std::string_view text) {
  const json file = parse_file(text);
  if (!file.is_object() || file.value("format", json()) != format_name) {
    throw InputError(
        fmt::format("the file is not an export of tuning results, because it has no \"format\": \"{}\": give a file "
                    "that `upsweep db export` wrote",
                    format_name));
  }
  const json version = file.value("version", json());
  if (!version.is_number_integer() || version < oldest_exchange_version || version > exchange_version) {
    throw InputError(fmt::format("the export has format version {}, but this upsweep reads {} to {}: {}",
                                 version.dump(), oldest_exchange_version, exchange_version,
                                 version == 1 ? "it is from before the first release, so tune again"
                                              : "export again with this version of upsweep"));
  }
  const std::optional<SharedParts> parts = shared_parts_from_json(file);
  const SharedParts* const shared = parts ? &*parts : nullptr;
  return {trials_from_json(file, "winners", shared), trials_from_json(file, "trials", shared)};
}

void check_winners(const std::vector<Trial>& winners, bool in_space) {
  std::set<decltype(place_of(Trial{}))> places;
  for (std::size_t i = 0; i < winners.size(); ++i) {
    const Trial& trial = winners[i];
    std::string reason = in_space                             ? unfit_to_win(trial)
                         : trial.verdict == Verdict::measured ? ""
                                                              : "it was not measured";
    if (!places.insert(place_of(trial)).second)
      reason = "the file has another winner for the same device, problem, size class, side of it and environment";
    if (!reason.empty()) {
      throw InputError(
          fmt::format("tuning results, entry {} of 'winners', {}: {}", i + 1, problem_text(trial), reason));
    }
  }
}

}  // namespace

std::string export_json(const Database& database, const ExportOptions& options) {
  const auto is_left_out = [&](const Trial& trial) {
    return options.keeps && (trial.is_carried() || !options.keeps(trial));
  };
  std::vector<Trial> winners, others;
  std::set<std::int64_t> won;
  for (Winner& winner : database.winners({.carried = true})) {
    won.insert(winner.trial.id);
    if (!is_left_out(winner.trial)) winners.push_back(std::move(winner.trial));
  }
  if (options.trials) {
    others = database.trials({.carried = true});
    std::erase_if(others, [&](const Trial& trial) { return won.contains(trial.id) || is_left_out(trial); });
  }
  return file_of(winners, others);
}

ImportReport import_json(Database& database, std::string_view text) {
  const Contents contents = parse(text);
  check_winners(contents.winners, true);
  return database.merge(contents.winners, contents.trials);
}

std::vector<Winner> read_shipped(std::string_view text) {
  Contents contents = parse(text);
  check_winners(contents.winners, false);
  std::vector<Winner> winners;
  for (Trial& trial : contents.winners) {
    if (trial.is_carried()) continue;  // nobody here can ask for its problem
    const int at = size_class(trial.problem.size);
    winners.push_back({std::move(trial), at, "shipped"});
  }
  return winners;
}

namespace {

// As a message names a pinned file: with the ways in which it can have been named.
std::string pinned_file(const std::filesystem::path& path) {
  return fmt::format("the pinned tuning database {} (UPSWEEP_PINNED_DB or ContextOptions::pinned_database)",
                     path.string());
}

std::vector<Winner> read_pinned(const std::filesystem::path& path) {
  constexpr std::string_view database_magic = "SQLite format 3";
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) {
    throw DatabaseError("it cannot be read: name a database file, or an export of one");
  }
  const std::string text = std::move(bytes).str();
  if (!text.starts_with(database_magic)) return read_shipped(text);
  file.close();
  return Database(path, Database::Mode::read_only).winners();
}

}  // namespace

std::vector<Winner> pinned_winners(const std::filesystem::path& path) {
  std::vector<Winner> winners;
  try {
    winners = read_pinned(path);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", pinned_file(path), error.what()));
  } catch (const DatabaseError& error) {
    throw DatabaseError(fmt::format("{}: {}", pinned_file(path), error.what()));
  }
  for (Winner& winner : winners) winner.origin = "pinned";
  return winners;
}

const std::vector<Winner>& shipped_winners() {
  // Never destroyed: static objects may ask for them at exit.
  static const auto& all = *new const std::vector<Winner>([] {
    std::vector<Winner> winners;
    for (const std::string_view file : shipped_files()) {
      std::vector<Winner> more = read_shipped(file);
      winners.insert(winners.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return winners;
  }());
  return all;
}

namespace {

// Adds the winners in a shipped file whose problems, as text, pass.
template <typename Passes>
void add_winners(std::vector<Winner>& winners, std::string_view file, const Passes& passes) {
  constexpr std::string_view before = "\"problem\":";
  const std::optional<SharedParts> parts = shared_parts_of_head(file);
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < file.size(); begin = end + 1) {
    end = std::min(file.find('\n', begin), file.size());
    std::string_view line = file.substr(begin, end - begin);
    const std::size_t at = line.find(before);
    if (at == line.npos) continue;  // the head, or the end
    if (!passes(line.substr(at + before.size(), line.find('}', at) + 1 - at - before.size()))) continue;
    if (line.ends_with(',')) line.remove_suffix(1);
    Trial trial = trial_from_json(json::parse(line), "a shipped result", parts ? &*parts : nullptr);
    const int its_class = size_class(trial.problem.size);
    winners.push_back({std::move(trial), its_class, "shipped"});
  }
}

}  // namespace

std::vector<Winner> shipped_winners_for(const Problem& problem) {
  std::map<std::string_view, bool> serves;  // by a problem's text up to its size
  const auto may_serve_it = [&](std::string_view object) {
    const auto [known, is_new] = serves.try_emplace(object.substr(0, object.rfind(',')), false);
    if (is_new) known->second = may_serve(problem_from_json(json::parse(object), "a shipped result"), problem);
    return known->second;
  };
  std::vector<Winner> winners;
  for (const std::string_view file : shipped_files()) add_winners(winners, file, may_serve_it);
  return winners;
}

}  // namespace upsweep::tuning_db
