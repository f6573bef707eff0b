// The arguments of `upsweep bench`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/source.hpp>

#include "bench/compare.hpp"
#include "bench/grid.hpp"

namespace upsweep::cli {

struct BenchArguments {
  std::vector<std::string> algorithms;
  std::vector<std::string> operators;
  std::vector<std::string> types;
  std::string accumulate;
  std::string output_type;
  std::string key_type;
  std::vector<std::string> densities;
  std::vector<std::string> accuracies;
  std::vector<std::string> sizes;
  std::vector<std::string> row_lengths;
  std::vector<std::string> row_pitches;
  std::vector<std::string> inners;
  std::vector<std::string> segment_lengths;
  std::string length_distribution{tuner::name(tuner::LengthDistribution::mixed)};
  std::vector<std::string> modes{"cold"};
  int samples = 9;
  std::string cell_budget;
  std::vector<std::string> rungs;
  std::uint64_t offset_in = 0;
  std::uint64_t offset_out = 0;
  bool grid = false;
  bool launch_cost = false;
  std::string output;
  std::string device = "auto";
  std::string database;
};

// What to measure. Throws UsageError for unknown names, and where something is missing.
[[nodiscard]] bench::Axes parse_axes(const BenchArguments& arguments);
[[nodiscard]] std::vector<std::uint64_t> default_sizes(const BenchArguments& arguments, Target target);

// How to measure. Likewise.
[[nodiscard]] bench::CompareOptions parse_options(const BenchArguments& arguments);

}  // namespace upsweep::cli
