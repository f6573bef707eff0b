#include "bench/summary.hpp"

#include <cmath>
#include <map>

#include "generator/algorithm.hpp"

namespace upsweep::bench {
namespace {

// The cells of one mode and one emission.
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
  std::map<Mode, std::map<Emission, Ratios>> modes;
  for (const Cell& cell : cells) {
    const Emission emission = is_compact(cell.problem) ? Emission::compact : entry_of(cell.problem).emission;
    modes[cell.mode][emission].add(cell);
  }
  std::vector<Summary> summaries;
  for (auto& [mode, ratios] : modes) {
    summaries.push_back({mode, ratios[Emission::dense].standing(), ratios[Emission::at_end].standing(),
                         ratios[Emission::compact].standing()});
  }
  return summaries;
}

}  // namespace upsweep::bench
