// The tuning database: every trial a row, and which of them won. One SQLite file.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuning-db/prune.hpp"
#include "tuning-db/trial.hpp"
#include "tuning-db/wanted.hpp"

namespace upsweep::tuning_db {

// Which trials; what is not set does not restrict.
struct Filter {
  std::optional<std::int64_t> id = {};
  std::optional<DeviceIdentity> device = {};
  std::optional<Problem> problem = {};  // of any size
  std::optional<int> size_class = {};
  std::optional<Environment> environment = {};
  bool failures = true;                 // also those that failed
  std::optional<Problem> serving = {};  // of winners only: those that may serve this problem
  bool carried = false;                 // also those of problems of which this process lacks a definition
};

// What `upsweep db check` found. Rows that do not parse are skipped everywhere else.
struct CheckReport {
  std::size_t trials = 0;             // that parse
  std::size_t winners = 0;            // that are used
  std::size_t wanted = 0;             // requests
  std::size_t carried = 0;            // further trials, of problems of which this process lacks a definition
  std::vector<std::string> problems;  // one line each
  [[nodiscard]] bool ok() const noexcept { return problems.empty(); }
};

// What became of trials that came from elsewhere.
struct MergeReport {
  std::size_t trials_added = 0;
  std::size_t trials_present = 0;  // identical rows were there before
  std::size_t winners_set = 0;
  std::size_t winners_kept = 0;  // the database's own was at least as fast
  bool operator==(const MergeReport&) const = default;
};

// The file's size.
struct CompactReport {
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

// Thread-safe: calls on one object take turns. Any number of processes may use one file. An object must not be used on
// the other side of a fork. Failures throw DatabaseError and leave the database as it was before the call.
class Database {
 public:
  enum class Mode { read_write, read_only };
  static constexpr std::chrono::milliseconds usual_patience{30'000};

  // What was chosen, or if that is empty $UPSWEEP_DB, else $XDG_DATA_HOME/upsweep/tuning.db, else
  // $HOME/.local/share/upsweep/tuning.db. No path if "none" was chosen, or $UPSWEEP_DB is that. Throws UsageError if
  // nothing was chosen and none of them is set.
  [[nodiscard]] static std::filesystem::path path_of(const std::string& chosen = {});

  // Whether there is such a file. Throws DatabaseError where that cannot be told, or where something else is there: a
  // folder, or a path that this user may not follow.
  [[nodiscard]] static bool is_there(const std::filesystem::path& path);

  // Opens the file. read_write makes it, and the folders above it, if it is missing or empty; read_only throws if it is
  // missing and finds nothing in an empty one. A file of an earlier schema version is brought to this one by
  // read_write, in one transaction, and is read as it stands by read_only. A file of a later version, or that is no
  // tuning database, is refused and its bytes stay as they are.
  // patience: how long this and all calls wait for other processes that hold the file.
  Database(const std::filesystem::path& path, Mode mode, std::chrono::milliseconds patience = usual_patience);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  [[nodiscard]] const std::filesystem::path& path() const noexcept;

  // Writes trials, all or none, committed to the disk before this returns, and returns their ids; the trials' own ids
  // are not looked at. An empty measured_at becomes now; bytes that are no UTF-8 become U+FFFD. Throws UsageError for
  // what `validate` refuses.
  std::vector<std::int64_t> record(std::span<const Trial> trials);
  std::int64_t record(const Trial& trial) { return record(std::span(&trial, 1)).front(); }

  // Makes a recorded trial the winner of its (device, problem, size class, environment), in place of the one before; it
  // is not wanted any more. Throws
  // UsageError if there is no such trial or it is unfit to win.
  void set_winner(std::int64_t trial_id);

  // Adds trials that are not there yet and, of `winners`, those whose median is lower than the present winner's of the
  // same (device, problem, size class, environment). All or nothing. Throws UsageError as record and set_winner do.
  MergeReport merge(std::span<const Trial> winners, std::span<const Trial> others);

  // The same with all that another database holds, carried trials too, but for its requests.
  MergeReport merge(const Database& other);

  // Adds to the counts of these requests, but for those that have a winner by now and those of 2^63 items or more.
  // Their size classes are not looked at, empty times become now. Throws UsageError for an invalid problem or device.
  void want(std::span<const Wanted> requests);
  // The most wanted first.
  [[nodiscard]] std::vector<Wanted> wanted(const std::optional<DeviceIdentity>& device = {}) const;
  // Forgets all requests; returns how many there were.
  std::size_t clear_wanted();

  // Throws UsageError for options that choose nothing.
  PruneReport prune(const PruneOptions& options);
  // Gives the room of rows that were taken out back to the file system.
  CompactReport compact();

  // All winners that parse and whose configs lie in the space, origin "user"; by device, problem and size class, of
  // those in one place, which differ in their environments, the newest first.
  // Reading one takes some 40 microseconds: a filter (but for its id) spares those that are not asked for.
  [[nodiscard]] std::vector<Winner> winners(const Filter& filter = {}) const;
  // In the order of their ids.
  [[nodiscard]] std::vector<Trial> trials(const Filter& filter = {}) const;
  // Looks at every row. Damage is reported, not thrown.
  [[nodiscard]] CheckReport check() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep::tuning_db
