// The tiles of a launch, for people.
#pragma once

#include <cstdint>

#include <upsweep/problem.hpp>
#include <upsweep/source.hpp>

#include "generator/shape.hpp"

namespace upsweep {

// The extent of a tile, in the unit of Schedule::tile_unit(): items, rows or columns.
[[nodiscard]] inline std::uint64_t tile_extent(const LaunchRule& launch) noexcept {
  return launch.columns_per_tile > 0 ? launch.columns_per_tile : launch.items_per_tile;
}

// How many blocks a launch has for n items, as the problem expects them.
[[nodiscard]] inline std::uint64_t expected_blocks(const LaunchRule& launch, const Problem& problem, std::uint64_t n,
                                                   int multiprocessors) {
  if (problem.shape != Shape::axis) return launch.blocks(n, multiprocessors);
  return launch.blocks_along_axis(n, rows_of(problem, n), inner_of(problem, n), multiprocessors);
}

}  // namespace upsweep
