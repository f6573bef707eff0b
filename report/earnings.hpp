// What tuning earns: the built-in default and the config of the nearest device beside the winner, by device and
// problem.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/cell.hpp"

namespace upsweep::report {

struct BenchDocument;

// One problem of one size on one device, all timed in one run.
struct Earned {
  std::string device;       // its name
  int multiprocessors = 0;  // 0: not known
  Problem problem;
  bench::Row winner;    // of the rung exact
  bench::Row built_in;  // the default
  std::optional<bench::Row> nearest = {};
  std::string why_no_nearest = {};       // none: it was not asked for, or has a config
  std::optional<bench::Row> peer = {};   // CUB
  std::optional<bench::Row> limit = {};  // memcpy, or a plain read of a reduce

  // Divided by the speed of the winner: 1 is as fast as the winner.
  [[nodiscard]] double speed_of_default() const { return winner.median_us / built_in.median_us; }
  [[nodiscard]] std::optional<double> speed_of_nearest() const;
};

struct Earnings {
  std::vector<Earned> cells;  // by device, problem, multiprocessors and size
  int untuned = 0;            // cells that were asked for the rungs exact and built_in, and have no winner
};

// Of the cells that have the rungs exact and built_in. A later document takes the place of an earlier one.
[[nodiscard]] Earnings earnings_of(std::span<const BenchDocument> documents);

// Speeds relative to the winner over several cells.
struct RelativeSpeed {
  int cells = 0;
  double mean = 1;  // geometric
  double lowest = 0;
  const Earned* slowest = nullptr;  // the cell with the lowest
};
[[nodiscard]] RelativeSpeed speed_of_default(std::span<const Earned> cells);
[[nodiscard]] RelativeSpeed speed_of_nearest(std::span<const Earned> cells);

// The cells of one problem on devices of one name, which are one GPU and parts of it.
struct EarningsTable {
  std::string device;
  Problem problem;                            // of no size
  std::vector<std::span<const Earned>> rows;  // one for each number of multiprocessors, ascending in size
  std::string peer, limit;                    // their labels; empty: did not take part
};
// Refers to the earnings.
[[nodiscard]] std::vector<EarningsTable> tables_of(const Earnings& earnings);

// As a section of the page; empty if there are no cells.
[[nodiscard]] std::string earnings_section(const Earnings& earnings);

// As a table of Markdown with a line for each problem and number of multiprocessors, and what holds over all cells.
[[nodiscard]] std::string earnings_markdown(const Earnings& earnings);

// "Default: 0.97 of the speed of the winner in the geometric mean over 25 cells; the lowest is 0.91 (reduce plus f32,
// 2^16 items, 8 multiprocessors)." and the same of the nearest device: a sentence each.
[[nodiscard]] std::vector<std::string> earnings_sentences(const Earnings& earnings);

}  // namespace upsweep::report
