#include "report/earnings.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/size.hpp"
#include "bench/summary.hpp"
#include "report/fact_groups.hpp"

namespace upsweep::report {
namespace {

using bench::Who;
using tuning_db::Rung;

std::optional<bench::Row> row_of(const bench::Cell& cell, Who who) {
  const bench::Row* const row = cell.row(who);
  return row == nullptr ? std::nullopt : std::optional(*row);
}

// Nothing if the rung was not asked for or has no config, or its time says nothing.
std::optional<bench::Row> row_of(const bench::Cell& cell, Rung rung) {
  const bench::RungCell* const of = cell.rung_cell(rung);
  if (of == nullptr || !of->row || !(of->row->median_us > 0)) return std::nullopt;
  return of->row;
}

std::optional<Earned> earned(const BenchDocument& document, const bench::Cell& cell) {
  const std::optional<bench::Row> winner = row_of(cell, Rung::exact), built_in = row_of(cell, Rung::built_in);
  if (!winner || !built_in) return std::nullopt;
  Earned made{.device = document.device,
              .multiprocessors = document.multiprocessors,
              .problem = cell.problem,
              .winner = *winner,
              .built_in = *built_in,
              .nearest = row_of(cell, Rung::nearest_device),
              .peer = row_of(cell, Who::peer),
              .limit = row_of(cell, Who::memcpy)};
  const bench::RungCell* const nearest = cell.rung_cell(Rung::nearest_device);
  if (nearest != nullptr && !made.nearest) made.why_no_nearest = nearest->choice.reason;
  if (!made.limit) made.limit = row_of(cell, Who::plain_read);
  return made;
}

template <typename Speed>
RelativeSpeed over(std::span<const Earned> cells, Speed&& speed) {
  RelativeSpeed made;
  std::vector<double> factors;
  for (const Earned& each : cells) {
    const std::optional<double> factor = speed(each);
    if (!factor) continue;
    factors.push_back(*factor);
    if (made.slowest != nullptr && *factor >= made.lowest) continue;
    made.lowest = *factor;
    made.slowest = &each;
  }
  made.cells = static_cast<int>(factors.size());
  made.mean = bench::geometric_mean(factors);
  return made;
}

std::string sentence(const char* what, const RelativeSpeed& speed) {
  const Earned& slowest = *speed.slowest;
  const std::string where =
      slowest.multiprocessors > 0 ? fmt::format(", {} multiprocessors", slowest.multiprocessors) : "";
  return fmt::format(
      "{}: {:.2f} of the speed of the winner in the geometric mean over {} {}; the lowest is {:.2f} ({}, {}{}).", what,
      speed.mean, speed.cells, speed.cells == 1 ? "cell" : "cells", speed.lowest, to_string(slowest.problem),
      base::format_items(slowest.problem.size), where);
}

}  // namespace

std::optional<double> Earned::speed_of_nearest() const {
  if (!nearest) return std::nullopt;
  return winner.median_us / nearest->median_us;
}

Earnings earnings_of(std::span<const BenchDocument> documents) {
  using Place = std::tuple<std::string, Problem, int, std::uint64_t>;
  std::map<Place, std::optional<Earned>> found;  // nothing: not tuned
  for (const BenchDocument& document : documents) {
    for (const bench::Cell& cell : document.cells) {
      if (cell.rung_cell(Rung::exact) == nullptr || cell.rung_cell(Rung::built_in) == nullptr) continue;
      found[{document.device, of_no_size(cell.problem), document.multiprocessors, cell.problem.size}] =
          earned(document, cell);
    }
  }
  Earnings earnings;
  for (auto& [place, cell] : found) {
    if (cell) {
      earnings.cells.push_back(*std::move(cell));
    } else {
      ++earnings.untuned;
    }
  }
  return earnings;
}

RelativeSpeed speed_of_default(std::span<const Earned> cells) {
  return over(cells, [](const Earned& each) { return std::optional(each.speed_of_default()); });
}

RelativeSpeed speed_of_nearest(std::span<const Earned> cells) {
  return over(cells, [](const Earned& each) { return each.speed_of_nearest(); });
}

std::vector<EarningsTable> tables_of(const Earnings& earnings) {
  std::vector<EarningsTable> tables;
  const std::span<const Earned> all = earnings.cells;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const Earned& first = all[begin];
    const Problem problem = of_no_size(first.problem);
    const auto same_problem = [&](const Earned& other) {
      return other.device == first.device && of_no_size(other.problem) == problem;
    };
    while (end < all.size() && same_problem(all[end]) && all[end].multiprocessors == first.multiprocessors) ++end;
    if (tables.empty() || tables.back().device != first.device || tables.back().problem != problem) {
      tables.push_back({first.device, problem, {}, {}, {}});
    }
    tables.back().rows.push_back(all.subspan(begin, end - begin));
    for (const Earned& each : tables.back().rows.back()) {
      if (each.peer) tables.back().peer = each.peer->label;
      if (each.limit) tables.back().limit = each.limit->label;
    }
  }
  return tables;
}

std::vector<std::string> earnings_sentences(const Earnings& earnings) {
  std::vector<std::string> sentences;
  if (earnings.cells.empty()) return sentences;
  sentences.push_back(sentence("Default", speed_of_default(earnings.cells)));
  if (const RelativeSpeed nearest = speed_of_nearest(earnings.cells); nearest.cells > 0) {
    sentences.push_back(sentence("Nearest device", nearest));
  }
  const auto without =
      std::ranges::count_if(earnings.cells, [](const Earned& each) { return !each.why_no_nearest.empty(); });
  if (without > 0) {
    sentences.push_back(
        fmt::format("In {} {}, no result of another device fits.", without, without == 1 ? "cell" : "cells"));
  }
  if (earnings.untuned > 0) {
    sentences.push_back(
        fmt::format("Left out: {} {} without a winner.", earnings.untuned, earnings.untuned == 1 ? "cell" : "cells"));
  }
  return sentences;
}

}  // namespace upsweep::report
