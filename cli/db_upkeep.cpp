// The verbs of `upsweep db` that put databases together and in order.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "base/size.hpp"
#include "cli/columns.hpp"
#include "cli/count.hpp"
#include "cli/db_verb.hpp"
#include "cli/trial_filter.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using tuning_db::Database;

struct UpkeepArguments {
  std::string database;
  bool clear = false;
  std::vector<std::string> others;
  TrialFilter filter;
  tuning_db::PruneOptions prune;
};

Database open_database(const UpkeepArguments& arguments, Database::Mode mode) {
  return {Database::path_of(arguments.database), mode};
}

// ---- wanted

int clear_wanted(Database database, Io& io) {
  const std::size_t cleared = database.clear_wanted();
  if (io.json) {
    io.print({{"database", database.path().string()}, {"cleared", cleared}});
  } else {
    io.out() << fmt::format("{}: {} deleted from the list\n", database.path().string(),
                            counted(cleared, "wanted problem"));
  }
  return 0;
}

int wanted(const UpkeepArguments& arguments, Io& io) {
  if (arguments.clear) return clear_wanted(open_database(arguments, Database::Mode::read_write), io);
  const Database database = open_database(arguments, Database::Mode::read_only);
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
  }
  if (all.empty()) {
    io.say(fmt::format("no wanted problems in {}: none has run without a tuned config", database.path().string()));
  }
  if (io.json || all.empty()) return 0;
  using enum Columns::Align;
  Columns table({{"plans", right}, {"problem"}, {"size", right}, {"rung"}, {"last"}, {"device"}});
  for (const tuning_db::Wanted& each : all) {
    table.add({std::to_string(each.count), to_string(each.problem), base::format_size(each.problem.size), each.rung,
               each.last_at, each.device.name});
  }
  io.out() << table.text(io.width);
  return 0;
}

// ---- merge

int merge(const UpkeepArguments& arguments, Io& io) {
  // All are opened before anything is written: a name that is wrong changes nothing.
  std::vector<Database> others;
  for (const std::string& other : arguments.others) {
    if (!Database::is_there(other)) {
      throw DatabaseError(fmt::format("there is no tuning database at {}: give the path of a database to read", other));
    }
    others.emplace_back(other, Database::Mode::read_only);
  }
  Database database = open_database(arguments, Database::Mode::read_write);
  Json merged = Json::array();
  for (const Database& other : others) {
    const tuning_db::MergeReport report = database.merge(other);
    merged.push_back({{"from", other.path().string()},
                      {"trials_added", report.trials_added},
                      {"trials_present", report.trials_present},
                      {"winners_set", report.winners_set},
                      {"winners_kept", report.winners_kept}});
    if (io.json) continue;
    io.out() << fmt::format(
        "{} <- {}: added {}, set {}. Already in the database: {}. Not faster than the stored winner: {}.\n",
        database.path().string(), other.path().string(), counted(report.trials_added, "trial"),
        counted(report.winners_set, "winner"), counted(report.trials_present, "trial"),
        counted(report.winners_kept, "winner"));
  }
  if (io.json) io.print({{"database", database.path().string()}, {"merged", merged}});
  return 0;
}

// ---- prune and compact

// Throws UsageError where the filter is of nothing that is there: most likely it is mistyped.
void check_filter(const Database& database, const TrialFilter& filter) {
  const auto matches = filter.matches();
  const std::vector<tuning_db::Trial> trials = database.trials();
  std::vector<const tuning_db::Trial*> all;
  for (const tuning_db::Trial& each : trials) {
    if (matches(each.problem, each.device.name)) return;
    all.push_back(&each);
  }
  for (const tuning_db::Wanted& each : database.wanted()) {
    if (matches(each.problem, each.device.name)) return;
  }
  throw UsageError(fmt::format("no trials and no wanted problems in {} match {}{}", database.path().string(),
                               filter.text(), all.empty() ? "" : fmt::format("; there are {}", inventory(all))));
}

int prune(const UpkeepArguments& arguments, Io& io) {
  tuning_db::PruneOptions options = arguments.prune;
  if (!arguments.filter.empty()) options.matches = arguments.filter.matches();
  const bool dry = options.dry_run;
  Database database = open_database(arguments, Database::Mode::read_write);
  if (options.matches) check_filter(database, arguments.filter);
  const tuning_db::PruneReport report = database.prune(options);
  if (io.json) {
    io.print({{"database", database.path().string()},
              {"dry_run", dry},
              {"trials", report.trials},
              {"winners", report.winners},
              {"wanted", report.wanted}});
    return 0;
  }
  const std::string winners = report.winners == 0 ? "" : fmt::format(" ({} of them winners)", report.winners);
  io.out() << fmt::format("{}: {} {}{} and {}. {}\n", database.path().string(), dry ? "this would remove" : "removed",
                          counted(report.trials, "trial"), winners, counted(report.wanted, "wanted problem"),
                          dry ? "Nothing was changed." : "`upsweep db compact` shrinks the file.");
  return 0;
}

int compact(const UpkeepArguments& arguments, Io& io) {
  Database database = open_database(arguments, Database::Mode::read_write);
  const tuning_db::CompactReport report = database.compact();
  if (io.json) {
    io.print({{"database", database.path().string()},
              {"bytes_before", report.bytes_before},
              {"bytes_after", report.bytes_after}});
  } else {
    io.out() << fmt::format("{}: {} bytes (before: {})\n", database.path().string(), report.bytes_after,
                            report.bytes_before);
  }
  return 0;
}

}  // namespace

void add_db_upkeep(CLI::App& db, Action& action) {
  const auto arguments = std::make_shared<UpkeepArguments>();

  CLI::App& wanted_app =
      add_db_verb(db, "wanted", "List the wanted problems, which ran without a tuned config; the most frequent first",
                  wanted, arguments, action);
  wanted_app.add_flag("--clear", arguments->clear, "Delete the list instead of showing it");
  wanted_app.footer("`upsweep tune --wanted` tunes these problems.\n\nExample:\n  upsweep db wanted");

  CLI::App& merge_app = add_db_verb(db, "merge", "Add the contents of other databases", merge, arguments, action);
  merge_app.add_option("OTHER", arguments->others, "Database files to read; they are not changed")->required();
  merge_app.footer(
      "Adds the trials that the database does not have yet. If both databases have a winner for the same device,\n"
      "problem, side of a size class and environment (driver, compiler, generator), the one that takes less time per\n"
      "item stays.\n"
      "If the times are equal, the existing winner stays. Wanted problems (`upsweep db wanted`) are not merged.\n\n"
      "Example:\n"
      "  upsweep db merge node1.db node2.db");

  tuning_db::PruneOptions& options = arguments->prune;
  CLI::App& prune_app = add_db_verb(db, "prune", "Remove rows from the database", prune, arguments, action);
  arguments->filter.add_to(prune_app);
  prune_app.add_flag("--losers", options.losers,
                     "Remove trials that lost against a winner; winners and the finalists of their tunes stay");
  prune_app.add_flag("--failed", options.failed,
                     "Remove trials that have no time; the next tune tries their configs again");
  prune_app.add_option("--older-than", options.older_than_days,
                       "Remove only rows that are older than this number of days");
  prune_app.add_flag("--dry-run", options.dry_run, "Only show how many rows would be removed");
  prune_app.footer(
      "Without --losers and --failed, all rows that match the other options are removed, including winners and\n"
      "wanted problems.\n\nExample:\n  upsweep db prune --losers --failed --older-than 90 --dry-run\n"
      "  upsweep db prune inclusive_scan --op plus --type i32 --size 2^20");

  add_db_verb(db, "compact", "Shrink the file after rows were removed", compact, arguments, action);
}

}  // namespace upsweep::cli
