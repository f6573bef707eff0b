// The parameters of schedules that work tile by tile, and structs of their values.
#pragma once

#include <cstdint>

#include "generator/launch_values.hpp"
#include "generator/parameter.hpp"

namespace upsweep::tiles {

// How a thread, warp or block moves the items of a tile between global memory and registers.
enum class Access : std::uint8_t { direct, vectorized, block_transpose, warp_transpose, two_phase };
enum class WarpScan : std::uint8_t {
  kogge_stone,
  sklansky,
  brent_kung,
  ladner_fischer,
  han_carlson,
  kogge_stone_radix_4,
  serial,
  matrix
};
enum class BlockScan : std::uint8_t {
  warp_scans,
  raking,
  raking_16,
  blelloch,
  blelloch_padded,
  hillis_steele,
  kogge_stone,
  sklansky,
  brent_kung
};
enum class Descriptor : std::uint8_t { packed, split };
enum class Prefetch : std::uint8_t { none, bulk };
enum class Packing : std::uint8_t { single, packed_16x2 };

extern const CountParameter threads_per_block;
extern const CountParameter items_per_thread;
extern const CountParameter minimum_blocks;
extern const ChoiceParameter<Access> load;
[[nodiscard]] const ChoiceParameter<Access>& store(const Problem& problem);
extern const ChoiceParameter<WarpScan> warp_scan;  // all of them
// Those that a problem has: sums of 32-bit integers have `matrix` besides.
[[nodiscard]] const ChoiceParameter<WarpScan>& warp_scan_of(const Problem& problem);
extern const ChoiceParameter<BlockScan> block_scan;
// With those of the literature that others have replaced, for a number of threads that is a power of two.
extern const ChoiceParameter<BlockScan> any_block_scan;
extern const ChoiceParameter<Descriptor> descriptor;
extern const ChoiceParameter<Prefetch> prefetch;
extern const ChoiceParameter<Packing> packing;

// Whether a problem has the parameter `packing`: it looks for the least or the greatest of integers of 1 or 2 bytes,
// and the operator can take two at a time, by instructions that devices from sm_90 on have.
[[nodiscard]] bool has_packing(const Problem& problem);

[[nodiscard]] Prefetch default_prefetch(const DeviceLimits& limits);
[[nodiscard]] Packing default_packing(const Problem& problem, const DeviceLimits& limits);

// Values of a schedule whose threads hold the items of a tile.
struct TileValues : LaunchValues {
  std::int64_t threads_per_block = 256;
  std::int64_t items_per_thread = 1;
  std::int64_t minimum_blocks = 1;
  Access load = Access::warp_transpose;
  Prefetch prefetch = Prefetch::none;

  [[nodiscard]] std::int64_t tile_items() const { return threads_per_block * items_per_thread; }
};

// Values of a schedule whose blocks load a tile and store its results.
struct StoredTileValues : TileValues {
  Access store = Access::warp_transpose;
};

// Values of a scan whose blocks scan one tile at a time.
struct ScanValues : StoredTileValues {
  WarpScan warp_scan = WarpScan::kogge_stone;
  BlockScan block_scan = BlockScan::warp_scans;
};

}  // namespace upsweep::tiles
