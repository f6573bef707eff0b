#include "tuner/search/trees.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace upsweep::tuner {
namespace {

using Rows = std::span<std::uint32_t>;

struct Cut {
  int column = -1;
  float at = 0;
  double score = 0;  // the sum of squares that the two parts' means explain
};

class Divider {
 public:
  Divider(const Table& table, std::span<const double> targets, std::mt19937_64& random, const TreeSettings& settings)
      : table_(table), targets_(targets), random_(random), settings_(settings), order_(table.columns()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (settings_.columns_tried == 0) settings_.columns_tried = static_cast<int>(table.columns() + 1) / 2;
  }

  [[nodiscard]] double mean(Rows rows) const {
    double sum = 0;
    for (const std::uint32_t row : rows) sum += targets_[row];
    return sum / static_cast<double>(rows.size());
  }

  // Without a column where no column tells the rows apart, or their targets are all the same.
  Cut best_cut(Rows rows) {
    Cut best;
    if (static_cast<int>(rows.size()) < settings_.least_rows || rows.size() < 2 || is_level(rows)) return best;
    sum_ = mean(rows) * static_cast<double>(rows.size());
    int tried = 0;
    for (std::size_t i = 0; i < order_.size() && tried < settings_.columns_tried; ++i) {
      std::swap(order_[i], order_[i + random_() % (order_.size() - i)]);
      const Cut cut = random_cut(rows, order_[i]);
      if (cut.column < 0) continue;
      ++tried;
      if (best.column < 0 || cut.score > best.score) best = cut;
    }
    return best;
  }

 private:
  [[nodiscard]] bool is_level(Rows rows) const {
    return std::all_of(rows.begin(), rows.end(), [&](auto row) { return targets_[row] == targets_[rows[0]]; });
  }

  Cut random_cut(Rows rows, int column) {
    const auto at = static_cast<std::size_t>(column);
    const float* const values = table_.column(at);
    float least = values[rows[0]], most = least;
    for (const std::uint32_t row : rows) {
      const float value = values[row];
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (least == most) return {};
    // In (least, most]: both parts have rows.
    const float cut = most - static_cast<float>(uniform(random_)) * (most - least);
    const float inner = cut > least ? cut : most;
    double low = 0;
    std::size_t lows = 0;
    for (const std::uint32_t row : rows) {
      const bool is_low = values[row] < inner;
      lows += is_low ? 1 : 0;
      low += is_low ? targets_[row] : 0.0;
    }
    const double high = sum_ - low;
    const auto highs = static_cast<double>(rows.size() - lows);
    return {column, inner, low * low / static_cast<double>(lows) + high * high / highs};
  }

  const Table& table_;
  std::span<const double> targets_;
  std::mt19937_64& random_;
  TreeSettings settings_;
  double sum_ = 0;          // of the targets of the rows that are divided
  std::vector<int> order_;  // of columns, partly shuffled
};

}  // namespace

Table::Table(std::size_t columns, std::span<const std::vector<float>* const> rows)
    : columns_(columns), rows_(rows.size()), values_(columns_ * rows_) {
  for (std::size_t row = 0; row < rows_; ++row) {
    for (std::size_t column = 0; column < columns_; ++column) values_[column * rows_ + row] = (*rows[row])[column];
  }
}

double uniform(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -53);
}

Tree::Tree(const Table& table, std::span<const double> targets, std::mt19937_64& random, const TreeSettings& settings) {
  Divider divider(table, targets, random, settings);
  std::vector<std::uint32_t> all(table.rows());
  std::iota(all.begin(), all.end(), 0u);
  const auto grow = [&](const auto& self, Rows rows) -> void {
    const std::size_t own = nodes_.size();
    nodes_.push_back({.value = divider.mean(rows)});
    const Cut cut = divider.best_cut(rows);
    if (cut.column < 0) return;
    const float* const values = table.column(static_cast<std::size_t>(cut.column));
    const auto middle =
        std::partition(rows.begin(), rows.end(), [&](std::uint32_t row) { return values[row] < cut.at; });
    const auto lows = static_cast<std::size_t>(middle - rows.begin());
    self(self, rows.first(lows));
    nodes_[own].column = cut.column;
    nodes_[own].cut = cut.at;
    nodes_[own].other = static_cast<std::uint32_t>(nodes_.size());
    self(self, rows.subspan(lows));
  };
  grow(grow, all);
}

double Tree::predict(std::span<const float> row) const {
  std::size_t at = 0;
  while (nodes_[at].column >= 0) {
    const Node& node = nodes_[at];
    at = row[static_cast<std::size_t>(node.column)] < node.cut ? at + 1 : node.other;
  }
  return nodes_[at].value;
}

}  // namespace upsweep::tuner
