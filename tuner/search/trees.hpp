// Extremely randomised regression trees (Geurts, Ernst and Wehenkel, Machine Learning 63, 2006): all rows go into each
// tree, a node tries a few columns with one random cut each and takes the best.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace upsweep::tuner {

// Rows of equally many numbers, kept column by column.
class Table {
 public:
  // Throws nothing, checks nothing: every row must have so many columns.
  Table(std::size_t columns, std::span<const std::vector<float>* const> rows);

  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] const float* column(std::size_t index) const { return values_.data() + index * rows_; }

 private:
  std::size_t columns_, rows_;
  std::vector<float> values_;
};

struct TreeSettings {
  int columns_tried = 0;  // at each node, of those that are not constant in it; 0: half of all
  int least_rows = 2;     // a node of fewer is not divided further
};

// Uniform in [0, 1) and the same everywhere, which the standard library's distributions are not.
[[nodiscard]] double uniform(std::mt19937_64& random);

class Tree {
 public:
  // Of at least one row; `targets` has one number a row. The same for the same arguments.
  Tree(const Table& table, std::span<const double> targets, std::mt19937_64& random, const TreeSettings& settings = {});

  [[nodiscard]] double predict(std::span<const float> row) const;

 private:
  struct Node {
    int column = -1;  // a leaf has none
    float cut = 0;    // rows below it go to the node after this one, the others to `other`
    std::uint32_t other = 0;
    double value = 0;
  };

  std::vector<Node> nodes_;
};

}  // namespace upsweep::tuner
