#include "bench/summary.hpp"

#include <cmath>
#include <cstdint>
#include <map>

#include "generator/algorithm.hpp"

namespace upsweep::bench {
namespace {

// Problems that are summed up together.
enum class Group : std::uint8_t { scans, reduces, compact, differences };

Group group_of(const Problem& problem) {
  if (!is_folded(problem)) return Group::differences;
  return is_compact(problem) ? Group::compact : is_dense(problem) ? Group::scans : Group::reduces;
}

// The cells of one mode and one group.
class Ratios {
 public:
  void add(const Cell& cell) {
    const std::optional<double> of_peer = ratio(cell, Who::peer);
    if (!of_peer) return;
    ratios_.push_back(*of_peer);
    if (*of_peer < 1) ++standing_.below_one;
    if (ratios_.size() == 1 || *of_peer < standing_.worst) {
      standing_.worst = *of_peer;
      standing_.worst_problem = cell.problem;
    }
  }

  [[nodiscard]] std::optional<Standing> standing() const {
    if (ratios_.empty()) return std::nullopt;
    Standing standing = standing_;
    standing.cells = static_cast<int>(ratios_.size());
    standing.geometric_mean = geometric_mean(ratios_);
    return standing;
  }

 private:
  std::vector<double> ratios_;
  Standing standing_;
};

}  // namespace

std::optional<double> ratio(const Cell& cell, Who who) {
  const Row* const own = cell.row(Who::upsweep);
  const Row* const other = cell.row(who);
  if (own == nullptr || other == nullptr || own->median_us <= 0) return std::nullopt;
  return other->median_us / own->median_us;
}

double geometric_mean(std::span<const double> factors) {
  if (factors.empty()) return 1;
  double logarithms = 0;
  for (const double factor : factors) logarithms += std::log(factor);
  return std::exp(logarithms / static_cast<double>(factors.size()));
}

std::vector<Summary> summarize(std::span<const Cell> cells) {
  std::map<Mode, std::map<Group, Ratios>> modes;
  for (const Cell& cell : cells) modes[cell.mode][group_of(cell.problem)].add(cell);
  std::vector<Summary> summaries;
  for (auto& [mode, ratios] : modes) {
    summaries.push_back({.mode = mode,
                         .scans = ratios[Group::scans].standing(),
                         .reduces = ratios[Group::reduces].standing(),
                         .compact = ratios[Group::compact].standing(),
                         .differences = ratios[Group::differences].standing()});
  }
  return summaries;
}

}  // namespace upsweep::bench
