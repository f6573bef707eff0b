#include "cli/db_upkeep.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "cli/db_verb.hpp"
#include "cli/size.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using tuning_db::Database;

struct Arguments {
  std::string database;
  bool clear = false;
  std::vector<std::string> others;
  tuning_db::PruneOptions prune;
};

Database open(const Arguments& arguments, Database::Mode mode) {
  return {Database::path_of(arguments.database), mode};
}

// ---- wanted

int clear_wanted(Database database, Io& io) {
  const std::size_t cleared = database.clear_wanted();
  if (io.json) {
    io.print({{"database", database.path().string()}, {"cleared", cleared}});
  } else {
    io.out() << fmt::format("{}: {} requests forgotten\n", database.path().string(), cleared);
  }
  return 0;
}

int wanted(const Arguments& arguments, Io& io) {
  if (arguments.clear) return clear_wanted(open(arguments, Database::Mode::read_write), io);
  const Database database = open(arguments, Database::Mode::read_only);
  const std::vector<tuning_db::Wanted> all = database.wanted();
  if (io.json) {
    Json json{{"database", database.path().string()}, {"wanted", Json::array()}};
    for (const tuning_db::Wanted& each : all) {
      json["wanted"].push_back({{"problem", json_of(each.problem)},
                                {"device", each.device.name},
                                {"size_class", each.size_class},
                                {"count", each.count},
                                {"rung", each.rung},
                                {"first_at", each.first_at},
                                {"last_at", each.last_at}});
    }
    io.print(json);
    return 0;
  }
  io.out() << fmt::format("{:>6}  {:<24}  {:>8}  {:<14}  {:<20}  {}\n", "plans", "problem", "size", "rung", "last",
                          "device");
  for (const tuning_db::Wanted& each : all) {
    io.out() << fmt::format("{:>6}  {:<24}  {:>8}  {:<14}  {:<20}  {}\n", each.count, to_string(each.problem),
                            format_size(each.problem.size), each.rung, each.last_at, each.device.name);
  }
  return 0;
}

// ---- merge

int merge(const Arguments& arguments, Io& io) {
  // All are opened before anything is written: a name that is wrong changes nothing.
  std::vector<Database> others;
  for (const std::string& other : arguments.others) others.emplace_back(other, Database::Mode::read_only);
  Database database = open(arguments, Database::Mode::read_write);
  Json merged = Json::array();
  for (const Database& other : others) {
    const tuning_db::MergeReport report = database.merge(other);
    merged.push_back({{"from", other.path().string()},
                      {"trials_added", report.trials_added},
                      {"trials_present", report.trials_present},
                      {"winners_set", report.winners_set},
                      {"winners_kept", report.winners_kept}});
    if (io.json) continue;
    io.out() << fmt::format("{} <- {}: {} trials added, {} there already; {} winners set, {} kept as they were\n",
                            database.path().string(), other.path().string(), report.trials_added, report.trials_present,
                            report.winners_set, report.winners_kept);
  }
  if (io.json) io.print({{"database", database.path().string()}, {"merged", merged}});
  return 0;
}

// ---- prune and compact

int prune(const Arguments& arguments, Io& io) {
  const bool dry = arguments.prune.dry_run;
  Database database = open(arguments, Database::Mode::read_write);
  const tuning_db::PruneReport report = database.prune(arguments.prune);
  if (io.json) {
    io.print({{"database", database.path().string()},
              {"dry_run", dry},
              {"trials", report.trials},
              {"winners", report.winners},
              {"wanted", report.wanted}});
    return 0;
  }
  io.out() << fmt::format("{}: {} trials, {} of them winners, and {} requests {}\n", database.path().string(),
                          report.trials, report.winners, report.wanted,
                          dry ? "would go; nothing was changed" : "are gone; `upsweep db compact` frees their room");
  return 0;
}

int compact(const Arguments& arguments, Io& io) {
  Database database = open(arguments, Database::Mode::read_write);
  const tuning_db::CompactReport report = database.compact();
  if (io.json) {
    io.print({{"database", database.path().string()},
              {"bytes_before", report.bytes_before},
              {"bytes_after", report.bytes_after}});
  } else {
    io.out() << fmt::format("{}: {} bytes, before {}\n", database.path().string(), report.bytes_after,
                            report.bytes_before);
  }
  return 0;
}

}  // namespace

void add_db_upkeep(CLI::App& db, Action& action) {
  const auto arguments = std::make_shared<Arguments>();

  CLI::App& wanted_app =
      add_db_verb(db, "wanted", "List what ran untuned, the most wanted first", wanted, arguments, action);
  wanted_app.add_flag("--clear", arguments->clear, "Forget all of it instead");
  wanted_app.footer("`upsweep tune --wanted` tunes them.\n\nExample:\n  upsweep db wanted");

  CLI::App& merge_app = add_db_verb(db, "merge", "Take in what other databases hold", merge, arguments, action);
  merge_app.add_option("OTHER", arguments->others, "Database files to read; they are not changed")->required();
  merge_app.footer(
      "Trials that are not there yet are added. Of two winners for the same device, problem, size class and\n"
      "environment (driver, compiler, generator) the one with the lower median stays; at the same median the one\n"
      "that was there. Requests (`upsweep db wanted`) stay where they are.\n\nExample:\n"
      "  upsweep db merge node1.db node2.db");

  tuning_db::PruneOptions& options = arguments->prune;
  CLI::App& prune_app = add_db_verb(db, "prune", "Take rows out", prune, arguments, action);
  prune_app.add_flag("--losers", options.losers,
                     "Trials that lost; winners and the finalists they were chosen from stay");
  prune_app.add_flag("--failed", options.failed, "Trials that were not measured: the next tune tries them again");
  prune_app.add_option("--device", options.device, "Only of devices of that name");
  prune_app.add_option("--older-than", options.older_than_days, "Only what is older than so many days");
  prune_app.add_flag("--dry-run", options.dry_run, "Only say how much would go");
  prune_app.footer(
      "Without --losers and --failed everything that --device and --older-than match goes, winners and requests\n"
      "too.\n\nExample:\n  upsweep db prune --losers --failed --older-than 90 --dry-run");

  add_db_verb(db, "compact", "Give the room of rows that are gone back to the file system", compact, arguments, action);
}

}  // namespace upsweep::cli
