// What the recipes of schedules that work tile by tile have in common: the parameter block, storage and descriptors.
#pragma once

#include <cstdint>
#include <string>

#include "generator/schedule.hpp"
#include "generator/tile_parameters.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep::tiles {

// The beginning of every parameter block: the types. `exchanged`: the type of what tiles exchange, Accumulator or
// Local. `row_columns`: 0, or how many columns the rows have that are scanned as one sequence.
[[nodiscard]] std::string type_block(const Problem& problem, const char* exchanged = "Accumulator",
                                     std::int64_t row_columns = 0);
// With threads, items and blocks.
[[nodiscard]] std::string parameter_block(const Problem& problem, const TileValues& values);
// One more line of it, with an empty line before.
[[nodiscard]] std::string constant(const char* type, const char* name, std::int64_t value);

// The storage role and dynamic shared memory for that many bytes.
void place_storage(Recipe& recipe, std::int64_t shared_bytes);

// Items per tile and threads of the launch.
void set_tile(Recipe& recipe, const TileValues& values);

// Words of 64 bits that hold a value.
[[nodiscard]] std::uint32_t value_words(const Layout& value);

// The role grid/descriptor, and the workspace of such descriptors of values that tiles exchange. `users` tells apart
// kernels that must not share a workspace: those whose blocks take one ticket each, and those whose blocks take
// several.
void place_descriptors(Recipe& recipe, const Layout& exchanged, Descriptor kind, const char* users, bool slot_per_tile);

// What kernels share whose blocks load a tile and store its results: roles, parameter block and tile.
[[nodiscard]] Recipe tile_recipe(const Problem& problem, const StoredTileValues& values);
// What all scans share: these, and how a warp and a block scan.
[[nodiscard]] Recipe scan_recipe(const Problem& problem, const ScanValues& values);

}  // namespace upsweep::tiles
