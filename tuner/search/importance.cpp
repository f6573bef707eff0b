#include "tuner/search/importance.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/median.hpp"
#include "tuner/search/trees.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::size_t fewest_configs = 8;
constexpr int trees = 32;
// Of log(time): times that differ by a part in a million are the same.
constexpr double least_variance = 1e-12;

using Row = std::vector<float>;

// The configs of one schedule as a table: a column for each ordered parameter, one for each value of a strategy.
class ScheduleTrials {
 public:
  explicit ScheduleTrials(std::vector<Timed> trials) : trials_(std::move(trials)) {
    for (const Timed& trial : trials_) {
      for (const auto& [name, value] : trial.config.values) values_[name].push_back(value);
    }
    for (auto& [name, values] : values_) {
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      first_column_[name] = columns_;
      columns_ += is_ordered(values) ? 1 : values.size();
    }
    for (const Timed& trial : trials_) {
      Row& row = rows_.emplace_back(columns_, -1.0f);
      for (const auto& [name, value] : trial.config.values) put(row, name, value);
      logs_.push_back(std::log(trial.us));
    }
  }

  [[nodiscard]] const std::vector<Timed>& trials() const noexcept { return trials_; }
  [[nodiscard]] const std::map<std::string, std::vector<ParameterValue>>& values() const noexcept { return values_; }
  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
  [[nodiscard]] const std::vector<double>& logs() const noexcept { return logs_; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

  void put(Row& row, const std::string& name, const ParameterValue& value) const {
    const std::vector<ParameterValue>& values = values_.at(name);
    const auto place = static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
    const std::size_t first = first_column_.at(name);
    if (is_ordered(values)) {
      row[first] = static_cast<float>(place);
      return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) row[first + i] = i == place ? 1.0f : 0.0f;
  }
  // Another row's value of the parameter.
  void copy(Row& row, const std::string& name, const Row& from) const {
    const std::size_t width = is_ordered(values_.at(name)) ? 1 : values_.at(name).size();
    const auto first = static_cast<std::ptrdiff_t>(first_column_.at(name));
    std::copy_n(from.begin() + first, width, row.begin() + first);
  }

 private:
  [[nodiscard]] static bool is_ordered(const std::vector<ParameterValue>& values) {
    return std::all_of(values.begin(), values.end(),
                       [](const ParameterValue& value) { return std::holds_alternative<std::int64_t>(value); });
  }

  std::vector<Timed> trials_;
  std::map<std::string, std::vector<ParameterValue>> values_;
  std::map<std::string, std::size_t> first_column_;
  std::size_t columns_ = 0;
  std::vector<Row> rows_;
  std::vector<double> logs_;
};

// Trees that each saw two thirds of the rows, so that the others tell how good they are.
class Forest {
 public:
  Forest(const ScheduleTrials& trials, std::mt19937_64& random) {
    const std::size_t rows = trials.rows().size();
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int i = 0; i < trees; ++i) {
      for (std::size_t at = rows; at > 1; --at) std::swap(order[at - 1], order[random() % at]);
      const std::size_t taken = (2 * rows + 2) / 3;
      std::vector<const Row*> chosen;
      std::vector<double> targets;
      for (std::size_t at = 0; at < taken; ++at) {
        chosen.push_back(&trials.rows()[order[at]]);
        targets.push_back(trials.logs()[order[at]]);
      }
      const int all = static_cast<int>(trials.columns());
      trees_.emplace_back(Table(trials.columns(), chosen), targets, random,
                          TreeSettings{.columns_tried = all, .least_rows = 3});
      unseen_.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(taken), order.end());
    }
  }

  [[nodiscard]] double predict(const Row& row) const {
    double sum = 0;
    for (const Tree& tree : trees_) sum += tree.predict(row);
    return sum / static_cast<double>(trees_.size());
  }

  // Mean squared error over what each tree did not see, of rows as `change(row index, random)` makes them.
  template <class Change>
  [[nodiscard]] double error(const ScheduleTrials& trials, Change change) const {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      for (const std::size_t row : unseen_[i]) {
        const double off = trees_[i].predict(change(row, unseen_[i])) - trials.logs()[row];
        sum += off * off;
        ++count;
      }
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
  }

 private:
  std::vector<Tree> trees_;
  std::vector<std::vector<std::size_t>> unseen_;
};

double variance_of(const std::vector<double>& values) {
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

ValueTimes times_of(const ScheduleTrials& trials, const std::string& name, const ParameterValue& value,
                    const Forest* forest) {
  std::vector<double> times;
  for (const Timed& trial : trials.trials()) {
    const auto own = trial.config.values.find(name);
    if (own != trial.config.values.end() && own->second == value) times.push_back(trial.us);
  }
  std::sort(times.begin(), times.end());
  ValueTimes found{.value = value, .configs = times.size(), .best_us = times.front()};
  times.resize((times.size() + 3) / 4);
  found.quartile_us = base::upper_median(times);
  if (forest == nullptr) return found;
  double sum = 0;
  for (Row row : trials.rows()) {
    trials.put(row, name, value);
    sum += forest->predict(row);
  }
  found.expected_us = std::exp(sum / static_cast<double>(trials.rows().size()));
  return found;
}

// The error that dealing a parameter's values out anew adds, of each parameter.
std::map<std::string, double> losses(const ScheduleTrials& trials, const Forest& forest, double error,
                                     std::mt19937_64& random) {
  std::map<std::string, double> found;
  for (const auto& [name, values] : trials.values()) {
    const double dealt = forest.error(trials, [&](std::size_t row, const std::vector<std::size_t>& among) {
      Row changed = trials.rows()[row];
      trials.copy(changed, name, trials.rows()[among[random() % among.size()]]);
      return changed;
    });
    found[name] = values.size() > 1 ? std::max(dealt - error, 0.0) : 0.0;
  }
  return found;
}

ScheduleImportance importance_of(const ScheduleTrials& trials, std::mt19937_64& random) {
  const Timed& first = trials.trials().front();
  ScheduleImportance found{.schedule = first.config.schedule, .configs = trials.trials().size(), .best_us = first.us};
  for (const Timed& trial : trials.trials()) found.best_us = std::min(found.best_us, trial.us);
  const double variance = variance_of(trials.logs());
  std::optional<Forest> forest;
  std::map<std::string, double> lost;
  if (found.configs >= fewest_configs) {
    forest.emplace(trials, random);
    const double error = forest->error(trials, [&](std::size_t row, const auto&) { return trials.rows()[row]; });
    found.explained = variance > least_variance ? std::max(1 - error / variance, 0.0) : 0;
    if (found.explained > 0) lost = losses(trials, *forest, error, random);
  }
  double all = 0;
  for (const auto& [name, loss] : lost) all += loss;
  for (const auto& [name, values] : trials.values()) {
    ParameterImportance& parameter = found.parameters.emplace_back();
    parameter.parameter = name;
    parameter.share = all > 0 ? lost.at(name) / all : 0;
    for (const ParameterValue& value : values) {
      parameter.values.push_back(times_of(trials, name, value, forest ? &*forest : nullptr));
    }
  }
  std::stable_sort(found.parameters.begin(), found.parameters.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return found;
}

}  // namespace

std::vector<ScheduleImportance> importance(std::span<const Timed> trials, std::uint64_t seed) {
  std::map<std::string, std::map<Config, double>> schedules;
  for (const Timed& trial : trials) {
    if (!std::isfinite(trial.us) || trial.us <= 0) {
      throw UsageError(fmt::format("a time of {} us is not valid: give times of measured configs", trial.us));
    }
    schedules[trial.config.schedule][trial.config] = trial.us;
  }
  std::vector<ScheduleImportance> found;
  for (const auto& [name, configs] : schedules) {
    std::vector<Timed> own;
    for (const auto& [config, us] : configs) own.push_back({config, us});
    std::mt19937_64 random(seed);
    found.push_back(importance_of(ScheduleTrials(std::move(own)), random));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.best_us < b.best_us; });
  return found;
}

}  // namespace upsweep::tuner
