// upsweep db: looks at the tuning database and moves it between machines.
#include <algorithm>
#include <charconv>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "cli/columns.hpp"
#include "cli/count.hpp"
#include "cli/db_verb.hpp"
#include "cli/trial_filter.hpp"
#include "generator/device_limits.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::cli {
namespace {

using tuning_db::Database;
using tuning_db::Trial;
using tuning_db::Winner;

struct DbArguments {
  std::string database;
  TrialFilter filter;
  bool trials = false;
  bool shipped = false;
  std::string id;
  std::string file;
};

Database open(const DbArguments& arguments, Database::Mode mode = Database::Mode::read_only) {
  return {Database::path_of(arguments.database), mode};
}

// ---- list

Json json_row(const Trial& trial, const std::string& origin) {
  Json json = tuning_db::to_json(trial);
  json["id"] = trial.id;
  json["origin"] = origin;
  return json;
}

std::vector<Winner> listed(const DbArguments& arguments) {
  if (arguments.shipped) return tuning_db::shipped_winners();
  const Database database = open(arguments);
  if (!arguments.trials) return database.winners();
  std::vector<Winner> rows;
  for (Trial& trial : database.trials()) {
    const int size = size_class(trial.problem.size);
    rows.push_back({std::move(trial), size, "user"});
  }
  return rows;
}

// Why the list is empty, and what there is.
std::string nothing_listed(const DbArguments& arguments, const std::vector<Winner>& all) {
  const char* const what = arguments.trials ? "trials" : "winners";
  const std::string where = arguments.shipped ? "the shipped results" : Database::path_of(arguments.database).string();
  if (all.empty()) return fmt::format("there are no {} in {}: `upsweep tune` creates them", what, where);
  std::vector<const Trial*> trials;
  for (const Winner& each : all) trials.push_back(&each.trial);
  return fmt::format("no {} in {} match {}; there are {}", what, where, arguments.filter.text(), inventory(trials));
}

// A config may have a trial for each stage of a tune, so that trials are listed with theirs.
std::string table_of(const std::vector<Winner>& rows, const DbArguments& arguments, const Io& io) {
  using enum Columns::Align;
  std::vector<Columns::Column> columns{{"problem"}, {"size", right}, {"median", right}, {"device"}, {"config"}};
  if (arguments.trials) columns.insert(columns.begin() + 2, {"stage"});
  if (!arguments.shipped) columns.insert(columns.begin(), {"id", right});  // shipped results have none
  Columns table(std::move(columns));
  for (const Winner& each : rows) {
    const Trial& trial = each.trial;
    std::vector<std::string> row{
        to_string(trial.problem), base::format_size(trial.problem.size),
        trial.failure.empty() ? format_time(trial.median_us()) : std::string(name(trial.verdict)), trial.device.name,
        config_text(io, trial.config, trial.problem, limits_of(trial.device))};
    if (arguments.trials) row.insert(row.begin() + 2, std::string(name(trial.stage)));
    if (!arguments.shipped) row.insert(row.begin(), std::to_string(trial.id));
    table.add(std::move(row));
  }
  return table.text(io.width);
}

int list(const DbArguments& arguments, Io& io) {
  const auto keeps = arguments.filter.predicate();
  const std::vector<Winner> all = listed(arguments);
  std::vector<Winner> rows;
  for (const Winner& each : all) {
    if (keeps(each.trial)) rows.push_back(each);
  }
  if (io.json) {
    Json json{{"database", arguments.shipped ? "shipped" : Database::path_of(arguments.database).string()},
              {arguments.trials ? "trials" : "winners", Json::array()}};
    for (const Winner& each : rows) json.back().push_back(json_row(each.trial, each.origin));
    io.print(json);
  } else if (!rows.empty()) {
    io.out() << table_of(rows, arguments, io);
  }
  if (rows.empty()) io.say(nothing_listed(arguments, all));
  return 0;
}

// ---- show

std::string describe(const DeviceIdentity& device) {
  if (device.compute_major == 0) return device.name;
  return fmt::format("{}, compute capability {}.{}, {} multiprocessors, {}-bit memory at {} kHz, ECC {}", device.name,
                     device.compute_major, device.compute_minor, device.multiprocessors, device.memory_bus_bits,
                     device.memory_clock_khz, device.ecc ? "on" : "off");
}

std::string describe(const Trial& trial, const Io& io) {
  std::string text = fmt::format("trial        {}\n", trial.id);
  text += fmt::format("measured at  {}\n", trial.measured_at);
  text += fmt::format("problem      {}, {} (size class {})\n", to_string(trial.problem),
                      counted(trial.problem.size, "item"), size_class(trial.problem.size));
  text += fmt::format("device       {}\n", describe(trial.device));
  text += fmt::format("environment  driver {}, {}, upsweep {}\n",
                      trial.environment.driver.empty() ? "none" : trial.environment.driver, trial.environment.compiler,
                      trial.environment.generator);
  text += fmt::format("verdict      {} (stage: {})\n", name(trial.verdict), name(trial.stage));
  if (!trial.session.empty()) text += fmt::format("session      {}\n", trial.session);
  if (!trial.binary.empty()) text += fmt::format("binary       {}\n", trial.binary);
  if (trial.clock_mhz != 0) text += fmt::format("clock        {} MHz\n", trial.clock_mhz);
  text += fmt::format("config       {}\n", config_text(io, trial.config, trial.problem, limits_of(trial.device)));
  if (!trial.failure.empty()) text += fmt::format("failure      {}\n", trial.failure);
  if (!trial.samples_us.empty()) {
    const auto [least, most] = std::minmax_element(trial.samples_us.begin(), trial.samples_us.end());
    text += fmt::format("time         median {}; {} samples from {} to {}\n", format_time(trial.median_us()),
                        trial.samples_us.size(), format_time(*least), format_time(*most));
  }
  return text;
}

std::int64_t parse_id(const std::string& text) {
  std::int64_t id = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, id);
  if (error == std::errc{} && stop == end && id > 0) return id;
  throw UsageError(fmt::format(
      "'{}' is not the id of a trial: `upsweep db list` shows the ids of winners, `upsweep db list --trials` all ids",
      text));
}

int show(const DbArguments& arguments, Io& io) {
  const std::int64_t id = parse_id(arguments.id);
  const Database database = open(arguments);
  const std::vector<Trial> found = database.trials({.id = id});
  if (found.empty()) {
    throw UsageError(fmt::format("there is no trial {} in {}; `upsweep db list --trials` lists all trials", id,
                                 database.path().string()));
  }
  if (io.json) {
    io.print(json_row(found.front(), "user"));
  } else {
    io.out() << describe(found.front(), io);
  }
  return 0;
}

// ---- export and import

// Throws UsageError where a filter leaves nothing: an empty file would look like an export.
void check_filter(const DbArguments& arguments) {
  const auto keeps = arguments.filter.predicate();
  if (arguments.filter.empty()) return;
  const std::vector<Winner> all = listed(arguments);
  if (std::ranges::none_of(all, keeps, &Winner::trial)) throw UsageError(nothing_listed(arguments, all));
}

int export_verb(const DbArguments& arguments, Io& io) {
  check_filter(arguments);
  const Database database = open(arguments);
  tuning_db::ExportOptions options{.trials = arguments.trials};
  if (!arguments.filter.empty()) options.keeps = arguments.filter.predicate();
  const std::string text = tuning_db::export_json(database, options);
  if (arguments.file.empty() || arguments.file == "-") {
    io.bytes() << text;
    return 0;
  }
  base::write_file(arguments.file, text);
  if (io.json) io.print({{"database", database.path().string()}, {"file", arguments.file}, {"bytes", text.size()}});
  io.say(fmt::format("exported {} to '{}'", database.path().string(), arguments.file));
  return 0;
}

// What `import` gives; its errors name the file.
template <typename Import>
auto of_file(const std::string& file, const Import& import) {
  try {
    return import();
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", file, error.what()));
  }
}

int import_verb(const DbArguments& arguments, Io& io) {
  const std::vector<std::byte> bytes = base::read_bytes(arguments.file);
  const std::string_view text = base::as_text(bytes);
  of_file(arguments.file, [&] { (void)tuning_db::read_shipped(text); });  // a bad file makes no database
  Database database = open(arguments, Database::Mode::read_write);
  const tuning_db::ImportReport report =
      of_file(arguments.file, [&] { return tuning_db::import_json(database, text); });
  if (io.json) {
    io.print({{"database", database.path().string()},
              {"trials_added", report.trials_added},
              {"trials_present", report.trials_present},
              {"winners_set", report.winners_set},
              {"winners_kept", report.winners_kept}});
    return 0;
  }
  io.out() << fmt::format("{}: added {}, set {}. Already in the database: {}. Not faster than the stored winner: {}.\n",
                          database.path().string(), counted(report.trials_added, "trial"),
                          counted(report.winners_set, "winner"), counted(report.trials_present, "trial"),
                          counted(report.winners_kept, "winner"));
  return 0;
}

// ---- check

int check(const DbArguments& arguments, Io& io) {
  const Database database = open(arguments);
  const tuning_db::CheckReport report = database.check();
  if (io.json) {
    io.print({{"database", database.path().string()},
              {"trials", report.trials},
              {"winners", report.winners},
              {"wanted", report.wanted},
              {"carried", report.carried},
              {"problems", report.problems}});
  } else {
    for (const std::string& problem : report.problems) io.out() << problem << '\n';
    if (report.carried != 0) {
      io.out() << fmt::format("{} of types or operators that this program has not defined: they stay as they are\n",
                              counted(report.carried, "trial"));
    }
    io.out() << fmt::format("{}: {}, {}, {}; {}\n", database.path().string(), counted(report.trials, "trial"),
                            counted(report.winners, "winner"), counted(report.wanted, "wanted problem"),
                            report.ok() ? "no errors found" : counted(report.problems.size(), "error") + " found");
  }
  return report.ok() ? 0 : static_cast<int>(ErrorKind::database);
}

}  // namespace

void add_db(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<DbArguments>();
  CLI::App* const db = command.add_subcommand("db", "Show the tuning database, or copy results between machines");
  db->require_subcommand(0, 1);
  db->footer("Example:\n  upsweep db export -o h200.json");

  CLI::App& list_verb = add_db_verb(*db, "list", "List the winners", list, arguments, action);
  arguments->filter.add_to(list_verb);
  list_verb.add_flag("--trials", arguments->trials, "List all trials instead of the winners");
  list_verb.add_flag("--shipped", arguments->shipped, "List the shipped winners instead of your own")
      ->excludes("--trials");
  list_verb.footer(
      "Example:\n  upsweep db list\n  upsweep db list inclusive_scan --type i32,f32 --size 2^10..2^20\n"
      "  upsweep db list --shipped reduce --op plus --device h200");

  CLI::App& show_verb = add_db_verb(*db, "show", "Show one trial", show, arguments, action);
  show_verb.add_option("ID", arguments->id, "Id of the trial, from the first column of `upsweep db list`")->required();
  show_verb.footer("Example:\n  upsweep db show 17");

  CLI::App& export_app = add_db_verb(*db, "export", "Export the winners as JSON", export_verb, arguments, action);
  arguments->filter.add_to(export_app);
  export_app.add_option("-o,--output", arguments->file, "File to write (default: standard output)");
  export_app.add_flag("--trials", arguments->trials, "Also export trials that did not win");
  export_app.footer("Example:\n  upsweep db export -o h200.json");

  CLI::App& import_app =
      add_db_verb(*db, "import", "Import results that another machine exported", import_verb, arguments, action);
  import_app.add_option("FILE", arguments->file, "File to read, - for standard input")->required();
  import_app.footer("Example:\n  upsweep db import h200.json");

  add_db_verb(*db, "check", "Look for damaged rows, and for rows whose config is no longer valid", check, arguments,
              action);
  add_db_upkeep(*db, action);
}

}  // namespace upsweep::cli
