// What the schedules of reductions have in common: how a block reduces its items.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generator/tile_parameters.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep::reduce_tiles {

enum class Accumulate : std::uint8_t { per_thread, per_tile };
enum class BlockReduce : std::uint8_t { warp_reduces, raking };

extern const CountParameter items_per_thread;
extern const ChoiceParameter<Accumulate> accumulate;
extern const ChoiceParameter<BlockReduce> block_reduce;
extern const CountParameter blocks_per_multiprocessor;

// Parameters of all schedules of reductions.
struct Values : tiles::TileValues {
  Accumulate accumulate = Accumulate::per_tile;
  BlockReduce block_reduce = BlockReduce::warp_reduces;
  tiles::Packing packing = tiles::Packing::single;

  template <typename Self, typename Visitor>
  static void visit_own(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.items_per_thread, reduce_tiles::items_per_thread);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
    visitor(values.accumulate, reduce_tiles::accumulate);
    visitor(values.load, tiles::load);
    visitor(values.block_reduce, reduce_tiles::block_reduce);
    visitor(values.prefetch, tiles::prefetch);
    if (tiles::has_packing(problem)) visitor(values.packing, tiles::packing);
  }
  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    LaunchValues::visit(values, problem, visitor);
  }
};

// Whether each thread may keep a running value until the end: the operator is commutative, and items fill vectors.
[[nodiscard]] bool can_accumulate_per_thread(const Problem& problem);

// As many items as have so many bytes.
[[nodiscard]] std::int64_t items_of_bytes(const Problem& problem, std::int64_t bytes);

// Whether the multiprocessors have much bandwidth each, and at least so many kilobytes each to reduce: as in a part of
// a GPU.
[[nodiscard]] bool feeds_fast(const Problem& problem, const DeviceLimits& limits, std::uint64_t kilobytes);

// Whether it takes long enough that a part's multiprocessors, which do not all get the same bandwidth, should take
// their shares as they become free: by more blocks than fit at once, of which the last one to finish has the result.
[[nodiscard]] bool feeds_unevenly(const Problem& problem, const DeviceLimits& limits);

[[nodiscard]] Values default_values(const Problem& problem, const DeviceLimits& limits);
[[nodiscard]] std::vector<std::string> violations(const Problem& problem, const Values& values,
                                                  const DeviceLimits& limits, std::int64_t shared_bytes);
[[nodiscard]] std::vector<Constraint> constraints();

// Storage of block_reduce, and AccumulateStorage of templates/tile/accumulate.*.cuh.
[[nodiscard]] tiles::Layout reduce_storage(const Problem& problem, const Values& values);
[[nodiscard]] tiles::Layout accumulate_storage(const Problem& problem, const Values& values);

// Roles, parameter block, tile and storage.
[[nodiscard]] Recipe recipe(const Problem& problem, const Values& values, std::int64_t shared_bytes);

}  // namespace upsweep::reduce_tiles
