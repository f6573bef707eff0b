#include "tuning-db/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <upsweep/error.hpp>

#include "base/environment.hpp"
#include "tuning-db/problem_rows.hpp"
#include "tuning-db/rows.hpp"
#include "tuning-db/schema.hpp"
#include "tuning-db/sqlite.hpp"

namespace upsweep::tuning_db {
namespace {

namespace fs = std::filesystem;
using Patience = std::chrono::milliseconds;

void ignore_row(std::int64_t, const std::string&) {}

void prepare_session(const Connection& connection) {
  connection.execute("PRAGMA foreign_keys = ON");
  connection.execute("PRAGMA synchronous = FULL");
  connection.execute("PRAGMA cell_size_check = ON");  // find damage when a page is read, not later
}

// Absolute, because SQLite gives names such as ":memory:" and "file:..." a meaning of their own.
fs::path resolved(const fs::path& path) {
  if (path.empty()) throw DatabaseError("the tuning database is 'none': set UPSWEEP_DB or --db to a file");
  std::error_code error;
  fs::path absolute = fs::absolute(path, error);
  if (error) throw DatabaseError(fmt::format("the path {} cannot be used: {}", path.string(), error.message()));
  return absolute;
}

// False: there is no such file. Throws for what is there and no file.
bool file_exists(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return false;
  if (fs::is_regular_file(status)) return true;
  const std::string what = fs::is_directory(status) ? "is a folder" : error ? error.message() : "is not a regular file";
  throw DatabaseError(
      fmt::format("{} cannot be the tuning database ({}): set UPSWEEP_DB or --db to a file", path.string(), what));
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw DatabaseError(
        fmt::format("the folder {} of the tuning database cannot be made ({}): set UPSWEEP_DB or --db to a path "
                    "that can be written",
                    folder.string(), error.message()));
  }
}

void bring_up_to_date(const Connection& connection) {
  connection.execute("PRAGMA foreign_keys = OFF");  // while tables change their names
  Transaction transaction(connection, Transaction::Kind::write);
  if (stored_version(connection) == schema_version) return;  // another process was faster
  migrate(connection);
  transaction.commit();
  (void)verify_schema(connection);
}

Connection open_to_write(const fs::path& path, Patience patience) {
  const bool exists = file_exists(path);
  if (!exists) create_folder(path.parent_path());
  Connection connection(path.string(), SQLITE_OPEN_READWRITE | (exists ? 0 : SQLITE_OPEN_CREATE), patience);
  (void)is_tuning_database(connection.header(), path.string());
  if (sqlite3_db_readonly(connection.handle(), "main") == 1) connection.fail(SQLITE_READONLY);
  prepare_session(connection);
  connection.execute("PRAGMA journal_mode = DELETE");  // WAL is unsafe on network file systems
  if (is_blank(connection)) {
    Transaction transaction(connection, Transaction::Kind::write);
    if (is_blank(connection)) create_schema(connection);  // another process may have been faster
    transaction.commit();
  }
  if (verify_schema(connection) != schema_version) bring_up_to_date(connection);
  prepare_session(connection);
  return connection;
}

// An empty file is an empty database: another process may be about to fill it. SQLite would have to write to it first.
Connection open_nothing(const fs::path& path) {
  Connection connection(path.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, {});
  create_schema(connection);
  connection.execute("PRAGMA query_only = ON");
  return connection;
}

Connection open_to_read(const fs::path& path, Patience patience) {
  if (!file_exists(path)) {
    throw DatabaseError(fmt::format("there is no tuning database at {}: `upsweep tune` creates it", path.string()));
  }
  Connection connection(path.string(), SQLITE_OPEN_READONLY, patience);
  if (!is_tuning_database(connection.header(), path.string())) return open_nothing(path);
  prepare_session(connection);
  if (verify_schema(connection) != schema_version) view_as_current(connection);
  return connection;
}

// A writer that was killed leaves a journal that only a connection that may write can roll back.
Connection open_connection(const fs::path& path, Database::Mode mode, Patience patience) {
  if (mode == Database::Mode::read_write) return open_to_write(path, patience);
  std::error_code error;
  const fs::path journal = path.string() + "-journal";
  try {
    return open_to_read(path, patience);
  } catch (const DatabaseError&) {
    if (!file_exists(path) || !fs::exists(journal, error)) throw;
  }
  {
    Connection recovery(path.string(), SQLITE_OPEN_READWRITE, patience);
    (void)is_tuning_database(recovery.header(), path.string());
    (void)is_blank(recovery);
  }
  return open_to_read(path, patience);
}

// Trials of one side of a size class may have different sizes.
double us_per_item(const Trial& trial) {
  return trial.median_us() / static_cast<double>(std::max<std::uint64_t>(trial.problem.size, 1));
}

}  // namespace

struct Database::State {
  State(const fs::path& given, Mode mode, Patience patience)
      : path(resolved(given)), connection(open_connection(path, mode, patience)) {}

  fs::path path;
  Connection connection;
  std::mutex mutex;
};

fs::path Database::path_of(const std::string& chosen) {
  if (chosen == "none") return {};
  if (!chosen.empty()) return chosen;
  const auto variable = [](const char* name) -> fs::path { return base::environment(name).value_or(""); };
  if (const fs::path path = variable("UPSWEEP_DB"); !path.empty()) return path == "none" ? fs::path() : path;
  // The XDG specification has relative paths ignored.
  if (const fs::path data = variable("XDG_DATA_HOME"); data.is_absolute()) return data / "upsweep" / "tuning.db";
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".local/share/upsweep/tuning.db";
  throw UsageError("cannot tell where the tuning database is: set HOME, or set UPSWEEP_DB or --db to a file");
}

bool Database::is_there(const fs::path& path) {
  return file_exists(resolved(path));
}

Database::Database(const fs::path& path, Mode mode, std::chrono::milliseconds patience)
    : state_(std::make_unique<State>(path, mode, patience)) {}
Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

const fs::path& Database::path() const noexcept {
  return state_->path;
}

std::vector<std::int64_t> Database::record(std::span<const Trial> trials) {
  std::vector<Trial> stored;
  for (const Trial& trial : trials) stored.push_back(stored_form(trial));
  const std::lock_guard lock(state_->mutex);
  Transaction transaction(state_->connection, Transaction::Kind::write);
  std::vector<std::int64_t> ids;
  for (const Trial& trial : stored) {
    ids.push_back(insert_trial(state_->connection, trial, make_keys(state_->connection, trial)));
    verify_row(state_->connection, ids.back(), trial);
  }
  transaction.commit();
  return ids;
}

void Database::set_winner(std::int64_t trial_id) {
  const std::lock_guard lock(state_->mutex);
  Transaction transaction(state_->connection, Transaction::Kind::write);
  const auto found = read_trials(state_->connection, {.id = trial_id}, ignore_row);
  if (found.empty()) {
    throw UsageError(fmt::format("trial {} is not in the tuning database: record it first", trial_id));
  }
  if (const std::string reason = unfit_to_win(found.front()); !reason.empty()) {
    throw UsageError(fmt::format("trial {} cannot be a winner: {}", trial_id, reason));
  }
  put_winner(state_->connection, trial_id);
  transaction.commit();
}

MergeReport Database::merge(std::span<const Trial> winners, std::span<const Trial> others) {
  MergeReport report;
  const std::lock_guard lock(state_->mutex);
  const Connection& connection = state_->connection;
  Transaction transaction(connection, Transaction::Kind::write);
  const auto add = [&](const Trial& trial) {
    const Trial stored = stored_form(trial);
    const TrialKeys keys = make_keys(connection, stored);
    const std::int64_t present = find_trial(connection, stored, keys);
    ++(present != 0 ? report.trials_present : report.trials_added);
    const std::int64_t id = present != 0 ? present : insert_trial(connection, stored, keys);
    verify_row(connection, id, stored);
    return id;
  };
  for (const Trial& trial : others) add(trial);
  for (const Trial& trial : winners) {
    if (const std::string reason = unfit_to_win(trial); !reason.empty()) {
      throw UsageError(fmt::format("a trial of {} cannot be a winner: {}", problem_text(trial), reason));
    }
    const std::int64_t id = add(trial);
    const auto current = current_winner(connection, id);
    const bool faster = !current || us_per_item(trial) < us_per_item(*current);
    if (faster) put_winner(connection, id);
    ++(faster ? report.winners_set : report.winners_kept);
  }
  transaction.commit();
  return report;
}

MergeReport Database::merge(const Database& other) {
  std::vector<Trial> winners, others;
  std::set<std::int64_t> won;
  for (Winner& winner : other.winners({.carried = true})) {
    won.insert(winner.trial.id);
    winners.push_back(std::move(winner.trial));
  }
  for (Trial& trial : other.trials({.carried = true})) {
    if (!won.contains(trial.id)) others.push_back(std::move(trial));
  }
  return merge(winners, others);
}

void Database::want(std::span<const Wanted> requests) {
  const std::lock_guard lock(state_->mutex);
  Transaction transaction(state_->connection, Transaction::Kind::write);
  add_wanted(state_->connection, requests);
  transaction.commit();
}

std::vector<Wanted> Database::wanted(const std::optional<DeviceIdentity>& device) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<Wanted> all = read_wanted(state_->connection, [](const std::string&) {});
  std::erase_if(all, [&](const Wanted& each) { return device && each.device != *device; });
  return all;
}

std::size_t Database::clear_wanted() {
  const std::lock_guard lock(state_->mutex);
  Transaction transaction(state_->connection, Transaction::Kind::write);
  state_->connection.execute("DELETE FROM wanted");
  const auto cleared = static_cast<std::size_t>(sqlite3_changes(state_->connection.handle()));
  transaction.commit();
  return cleared;
}

PruneReport Database::prune(const PruneOptions& options) {
  const std::lock_guard lock(state_->mutex);
  Transaction transaction(state_->connection, Transaction::Kind::write);
  const PruneReport report = prune_rows(state_->connection, options);
  transaction.commit();
  return report;
}

CompactReport Database::compact() {
  const std::lock_guard lock(state_->mutex);
  const auto bytes = [&] { return static_cast<std::uint64_t>(state_->connection.file_bytes()); };
  CompactReport report{.bytes_before = bytes()};
  state_->connection.execute("VACUUM");
  report.bytes_after = bytes();
  return report;
}

std::vector<Winner> Database::winners(const Filter& filter) const {
  const std::lock_guard lock(state_->mutex);
  return read_winners(state_->connection, filter, ignore_row);
}

std::vector<Trial> Database::trials(const Filter& filter) const {
  const std::lock_guard lock(state_->mutex);
  return read_trials(state_->connection, filter, ignore_row);
}

CheckReport Database::check() const {
  CheckReport report;
  const std::lock_guard lock(state_->mutex);
  const auto list_rows_of = [&](const char* what) {
    return [&report, what](std::int64_t id, const std::string& reason) {
      report.problems.push_back(fmt::format("{} {}: {}", what, id, as_line(reason)));
    };
  };
  try {
    const Transaction transaction(state_->connection, Transaction::Kind::read);
    list_damage(state_->connection, report.problems);
    list_contradictions(state_->connection, report.problems);
    const auto trials = read_trials(state_->connection, {.carried = true}, list_rows_of("trial"));
    report.carried = static_cast<std::size_t>(std::ranges::count_if(trials, &Trial::is_carried));
    report.trials = trials.size() - report.carried;
    const auto winners = read_winners(state_->connection, {.carried = true}, list_rows_of("the winner with trial"));
    report.winners = static_cast<std::size_t>(
        std::ranges::count_if(winners, [](const Winner& winner) { return !winner.trial.is_carried(); }));
    report.wanted = read_wanted(state_->connection, [&](const std::string& reason) {
                      report.problems.push_back(fmt::format("a wanted problem: {}", as_line(reason)));
                    }).size();
  } catch (const DatabaseError& error) {
    report.problems.emplace_back(error.what());
  }
  return report;
}

}  // namespace upsweep::tuning_db
