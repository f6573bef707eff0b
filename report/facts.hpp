// The data of the report, from the tuning database and bench documents, by device and problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/compare.hpp"
#include "report/earnings.hpp"
#include "report/importance.hpp"
#include "tuning-db/trial.hpp"

namespace upsweep::report {

// A document of `upsweep bench`, of one mode.
struct BenchDocument {
  std::string device;  // its name, as the driver reports it
  std::string driver;
  std::string date;
  std::vector<bench::Cell> cells;
  int multiprocessors = 0;  // of the device, which may be a part of a GPU; 0: the document does not tell
};

// All that a report is made from.
struct Sources {
  std::string database;                    // where trials and winners come from, for people
  std::string made_at;                     // UTC
  std::vector<tuning_db::Trial> trials;    // in the order of their ids
  std::vector<tuning_db::Winner> winners;  // the user's
  std::vector<tuning_db::Winner> shipped;  // told of where the user has none
  std::vector<BenchDocument> documents;    // a later one takes the place of an earlier one
};

// One problem at one size on one device. Times are medians in microseconds a call.
struct SizeFacts {
  std::uint64_t size = 0;
  double bytes = 0;                               // read and written by a call
  std::optional<tuning_db::Winner> winner;        // the newest, whatever the environment
  std::optional<tuning_db::Trial> default_trial;  // the default config's, of the winner's session
  std::map<bench::Who, bench::Row> rows;          // of a bench document

  [[nodiscard]] std::optional<double> winner_us() const;
  [[nodiscard]] std::optional<double> default_us() const;
  // Time of another contestant of the bench document, and of upsweep in the same document.
  [[nodiscard]] std::optional<double> bench_us(bench::Who who) const;
  // How many times as long as the winner took the default (same session), and as upsweep the peer (same document).
  [[nodiscard]] std::optional<double> over_default() const;
  [[nodiscard]] std::optional<double> over_peer() const;
  [[nodiscard]] double gigabytes_per_second(double us) const { return us > 0 ? bytes / us / 1e3 : 0; }
  // Of the winner; where none is known, of upsweep in the bench document. 0: of neither.
  [[nodiscard]] double throughput() const;
};

// How a search went: where the best so far became better, but for steps of less than a percent, and which trials
// failed. Trials are numbered from 1.
struct Step {
  int trial = 0;
  double us = 0;
};
struct Failure {
  int trial = 0;
  tuning_db::Verdict verdict = tuning_db::Verdict::failed;
  std::string what;  // cut to one short line
};
struct Progress {
  std::uint64_t size = 0;
  std::string session;
  int trials = 0;
  std::vector<Step> steps;
  std::vector<Failure> failures;  // the first 200
  int failed = 0;                 // all of them
};

struct ProblemFacts {
  DeviceIdentity device;
  Problem problem;                              // of no size
  std::vector<SizeFacts> sizes;                 // ascending
  std::vector<Progress> searches;               // ascending by size, then in the order they were begun
  std::vector<ParameterImportance> importance;  // greatest share first
  int trials = 0;
  int failures = 0;

  // The size of the greatest throughput; null where no throughput is known.
  [[nodiscard]] const SizeFacts* fastest() const;
  // Geometric means over the sizes that have both; nothing without one.
  [[nodiscard]] std::optional<double> over_default() const;
  [[nodiscard]] std::optional<double> over_peer() const;
};

// A winner with what it is compared with, for the table.
struct WinnerRow {
  tuning_db::Winner winner;
  std::optional<tuning_db::Trial> default_trial;
  double bytes = 0;
};

struct Facts {
  std::string database;
  std::string made_at;
  std::string first_at, last_at;  // of trials and winners; empty without one
  int trials = 0;
  std::map<tuning_db::Verdict, int> failures;
  std::vector<DeviceIdentity> devices;
  std::vector<Environment> environments;
  std::string peer;                    // "CUB 3.6.0"; empty without a bench document that has one
  std::vector<ProblemFacts> problems;  // by device, algorithm, operator and types
  std::vector<WinnerRow> winners;      // likewise, then by size; every environment's
  Earnings earnings;                   // of bench documents that have rungs
};

// progress: called before each problem, with its number from 0 and how many there are.
[[nodiscard]] Facts collect(const Sources& sources,
                            const std::function<void(std::size_t number, std::size_t count)>& progress = {});

// Winners alone, each with the trial of the default in its session: Facts::winners, without the rest.
[[nodiscard]] std::vector<WinnerRow> winner_rows(const Sources& sources);

// Bytes that a call of the problem reads and writes: input and output of a scan, the input and one item of a reduce.
[[nodiscard]] double bytes_moved(const Problem& problem);

}  // namespace upsweep::report
