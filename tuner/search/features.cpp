#include "tuner/search/features.hpp"

#include <cmath>
#include <map>

namespace upsweep::tuner {
namespace {

std::vector<float> logs_of(const Parameter& parameter) {
  std::vector<float> logs;
  if (!is_ordered(parameter)) return logs;
  for (const ParameterValue& value : parameter.values) {
    logs.push_back(static_cast<float>(std::log2(static_cast<double>(std::get<std::int64_t>(value)) + 1)));
  }
  return logs;
}

// Columns that a strategy's values need in all schedules together: a value's name belongs to one column.
std::size_t width_of(const Parameter& parameter) {
  return is_ordered(parameter) || parameter.values.size() <= 2 ? 1 : parameter.values.size();
}

std::vector<std::vector<float>> columns_of(const Parameter& parameter, const std::vector<float>& logs) {
  std::vector<std::vector<float>> found;
  const std::size_t width = width_of(parameter);
  for (std::size_t value = 0; value < parameter.values.size(); ++value) {
    std::vector<float> columns(width, 0.0f);
    if (is_ordered(parameter)) {
      columns[0] = logs[value];
    } else if (width == 1) {
      columns[0] = static_cast<float>(value);
    } else {
      columns[value] = 1;
    }
    found.push_back(std::move(columns));
  }
  return found;
}

}  // namespace

Features::Features(const SearchSpace& space) : space_(space), columns_(space.schedules().size()) {
  // Strategies of one name may differ in values between schedules: then each has columns of its own.
  std::map<std::pair<std::string, std::vector<ParameterValue>>, std::size_t> strategies;
  std::map<std::string, std::size_t> ordered;
  std::map<std::pair<std::string, std::string>, std::size_t> pairs;
  const auto column_at = [this](auto& map, const auto& key, std::size_t width) {
    const auto [at, is_new] = map.emplace(key, columns_);
    if (is_new) columns_ += width;
    return at->second;
  };
  for (const ScheduleParameters& schedule : space.schedules()) {
    Layout& layout = layouts_.emplace_back();
    for (const Parameter& parameter : schedule.parameters) {
      layout.logs.push_back(logs_of(parameter));
      layout.values.push_back(columns_of(parameter, layout.logs.back()));
      layout.first_column.push_back(
          is_ordered(parameter)
              ? column_at(ordered, parameter.name, 1)
              : column_at(strategies, std::pair(parameter.name, parameter.values), width_of(parameter)));
    }
    for (std::size_t a = 0; a < schedule.parameters.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Parameter &one = schedule.parameters[a], &other = schedule.parameters[b];
        if (layout.logs[a].size() < 2 || layout.logs[b].size() < 2) continue;
        layout.pairs.push_back({column_at(pairs, std::pair(one.name, other.name), 1), a, b});
      }
    }
  }
}

std::vector<float> Features::of(std::uint64_t index) const {
  const Coordinates at = space_.coordinates(index);
  const Layout& layout = layouts_[at.schedule];
  std::vector<float> row(columns_, -1.0f);
  for (std::size_t i = 0; i < layouts_.size(); ++i) row[i] = i == at.schedule ? 1.0f : 0.0f;
  for (std::size_t i = 0; i < at.values.size(); ++i) {
    const std::vector<float>& columns = layout.values[i][at.values[i]];
    std::copy(columns.begin(), columns.end(), row.begin() + static_cast<std::ptrdiff_t>(layout.first_column[i]));
  }
  for (const Pair& pair : layout.pairs) {
    row[pair.column] = layout.logs[pair.a][at.values[pair.a]] + layout.logs[pair.b][at.values[pair.b]];
  }
  return row;
}

}  // namespace upsweep::tuner
