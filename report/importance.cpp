#include "report/importance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "base/median.hpp"

namespace upsweep::report {
namespace {

// The ratios of the configs with each value of a parameter.
using TimesByValue = std::map<ParameterValue, std::vector<double>>;

std::map<std::string, TimesByValue> group(std::span<const RelativeTime> times) {
  std::map<std::string, TimesByValue> parameters;
  for (const RelativeTime& each : times) {
    parameters["schedule"][each.config.schedule].push_back(each.ratio);
    for (const auto& [name, value] : each.config.values) parameters[name][value].push_back(each.ratio);
  }
  std::erase_if(parameters, [](const auto& each) { return each.second.size() < 2; });
  return parameters;
}

// The sum of squared deviations of the logarithms from their mean, which is returned too.
std::pair<double, double> spread(const std::vector<double>& ratios) {
  double mean = 0, squares = 0;
  for (const double each : ratios) mean += std::log(each) / static_cast<double>(ratios.size());
  for (const double each : ratios) squares += (std::log(each) - mean) * (std::log(each) - mean);
  return {mean, squares};
}

// How much of the squared deviations goes away once the value is known, less what chance would take away: the sum that
// omega squared is made from (Hays, "Statistics", 1963).
double explained(const TimesByValue& groups) {
  std::vector<double> all;
  double within = 0;
  for (const auto& [value, ratios] : groups) {
    all.insert(all.end(), ratios.begin(), ratios.end());
    within += spread(ratios).second;
  }
  const double between = spread(all).second - within;
  if (all.size() <= groups.size()) return 0;
  const double by_chance =
      static_cast<double>(groups.size() - 1) * within / static_cast<double>(all.size() - groups.size());
  return std::max(between - by_chance, 0.0);
}

// More numbers than one looks at are shown by octave: 9-16 stands for those above 8 up to 16.
constexpr std::size_t most_numbers = 10;

std::vector<ValueTimes> octaves_of(const TimesByValue& groups) {
  std::map<int, std::pair<std::int64_t, std::int64_t>> bounds;
  std::map<int, std::vector<double>> octaves;
  for (const auto& [value, ratios] : groups) {
    const std::int64_t number = std::get<std::int64_t>(value);
    const auto octave =
        static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(number, 1) - 1)));
    std::vector<double>& all = octaves[octave];
    all.insert(all.end(), ratios.begin(), ratios.end());
    bounds.try_emplace(octave, number, number).first->second.second = number;
  }
  std::vector<ValueTimes> values;
  for (const auto& [octave, ratios] : octaves) {
    const auto [least, greatest] = bounds.at(octave);
    values.push_back(
        {least == greatest ? std::to_string(least) : std::to_string(least) + "–" + std::to_string(greatest),
         static_cast<int>(ratios.size()), std::ranges::min(ratios), base::median(ratios)});
  }
  return values;
}

std::vector<ValueTimes> values_of(const TimesByValue& groups) {
  // Numbers come before names; configs of other versions, or of other hands, may have both for one parameter.
  const bool numbers = std::holds_alternative<std::int64_t>(groups.rbegin()->first);
  if (groups.size() > most_numbers && numbers) return octaves_of(groups);
  std::vector<ValueTimes> values;
  for (const auto& [value, ratios] : groups) {
    values.push_back(
        {to_string(value), static_cast<int>(ratios.size()), std::ranges::min(ratios), base::median(ratios)});
  }
  if (std::holds_alternative<std::string>(groups.begin()->first))
    std::ranges::stable_sort(values, {}, &ValueTimes::best);
  return values;
}

}  // namespace

std::vector<ParameterImportance> importance(std::span<const RelativeTime> times) {
  std::vector<ParameterImportance> found;
  double total = 0;
  for (const auto& [name, groups] : group(times)) {
    found.push_back({name, explained(groups), values_of(groups)});
    total += found.back().share;
  }
  if (!(total > 0)) return {};
  for (ParameterImportance& each : found) each.share /= total;
  std::ranges::stable_sort(found, std::greater{}, &ParameterImportance::share);
  return found;
}

}  // namespace upsweep::report
