// The parameters of the schedule lookahead, and the shared memory and registers that its ring buffer of tiles needs.
#pragma once

#include <cstdint>
#include <vector>

#include <upsweep/device_info.hpp>

#include "generator/algorithm.hpp"
#include "generator/tile_parameters.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep::lookahead {

enum class Order : std::uint8_t { ticket, strided };
enum class Fill : std::uint8_t { bulk, bulk_once, async };
enum class Emit : std::uint8_t { bulk, bulk_once, vectorized, vectorized_once, positions };

extern const CountParameter worker_warps;
extern const CountParameter vectors_per_thread;
extern const CountParameter stages;
extern const CountParameter reduce_ahead;
extern const CountParameter filler_warps;  // of segments
extern const CountParameter row_columns;   // along an axis
extern const CountParameter states_per_lane;
extern const CountParameter blocks_per_multiprocessor;
extern const ChoiceParameter<Order> order;
extern const ChoiceParameter<Fill> fill;
extern const ChoiceParameter<Emit> emit;
extern const ChoiceParameter<Emit> emit_of_selections;  // of problems that take positions

// Whether results can be made of the items in a stage once their positions are known: of selections, and of runs whose
// items fold to an index.
[[nodiscard]] bool takes_positions(const Problem& problem);

// The size of tiles, and how many of them are on their way.
struct Shape {
  std::int64_t worker_warps = 1;
  std::int64_t vectors_per_thread = 1;
  std::int64_t stages = 0;
  std::int64_t reduce_ahead = 0;
  std::int64_t filler_warps = 0;  // of segments: warps that take turns at filling stages. 0: the loader fills them
  std::int64_t row_columns = 0;   // along an axis: items of a row. The columns are scanned as one sequence of rows

  [[nodiscard]] std::int64_t threads() const;  // of a block
  [[nodiscard]] std::int64_t tile_bytes() const;
  [[nodiscard]] std::int64_t tile_items(const Problem& problem) const;
};

struct Values : LaunchValues {
  Shape shape;
  std::int64_t states_per_lane = 5;
  std::int64_t blocks_per_multiprocessor = 1;
  Order order = Order::ticket;
  Fill fill = Fill::async;
  Emit emit = Emit::vectorized;
  tiles::Descriptor descriptor = tiles::Descriptor::packed;
  tiles::Prefetch prefetch = tiles::Prefetch::none;
  tiles::Packing packing = tiles::Packing::single;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.shape.worker_warps, lookahead::worker_warps);
    visitor(values.shape.vectors_per_thread, lookahead::vectors_per_thread);
    visitor(values.shape.stages, lookahead::stages);
    visitor(values.shape.reduce_ahead, lookahead::reduce_ahead);
    if (has_segment_begins(problem)) visitor(values.shape.filler_warps, lookahead::filler_warps);
    if (is_scan_along_axis(problem)) visitor(values.shape.row_columns, lookahead::row_columns);
    visitor(values.states_per_lane, lookahead::states_per_lane);
    visitor(values.blocks_per_multiprocessor, lookahead::blocks_per_multiprocessor);
    visitor(values.order, lookahead::order);
    visitor(values.fill, lookahead::fill);
    visitor(values.emit, takes_positions(problem) ? emit_of_selections : lookahead::emit);
    visitor(values.descriptor, tiles::descriptor);
    visitor(values.prefetch, tiles::prefetch);
    if (tiles::has_packing(problem)) visitor(values.packing, tiles::packing);
    LaunchValues::visit(values, problem, visitor);
  }
};

// Whether stages hold one array, whose results, if they are compacted or partitioned, only count. Stages of other
// problems have a part for each array.
[[nodiscard]] bool is_single(const Problem& problem);

// What the items, or rows of so many columns, of a tile combine to.
[[nodiscard]] tiles::Layout local_layout(const Problem& problem, const Shape& shape);

// Default of `filler_warps`.
[[nodiscard]] std::int64_t default_filler_warps(const Problem& problem);

// Whether it is a large selection, or partition into two parts, from one array of items of one byte.
[[nodiscard]] bool selects_bytes(const Problem& problem);

// Whether items of one byte are compared and packed four at a time.
[[nodiscard]] bool packs_bytes(const Problem& problem);

// Whether it is a scan by key, of rows or of segments of values of 8 bytes.
[[nodiscard]] bool scans_wide_by_key(const Problem& problem);

// Whether it is a large selection from one array on a device whose multiprocessors have much bandwidth each.
[[nodiscard]] bool selects_fast(const Problem& problem, const DeviceLimits& limits);

// Whether so much is read that large tiles are worth their start: 96 MiB.
[[nodiscard]] bool has_many_bytes(const Problem& problem);

// Of scans by key, of rows and of segments: whether values are of 8 bytes, and tiles are large.
[[nodiscard]] bool has_large_wide_tiles(const Problem& problem);

// Whether it is a partition into parts of items of 4 or 8 bytes, of 48 MiB or more.
[[nodiscard]] bool has_large_parts(const Problem& problem);

// Default of `states_per_lane`.
[[nodiscard]] std::int64_t default_states_per_lane(const Problem& problem, const DeviceLimits& limits);

// Whether results wait where a tile's items were, to be stored; of a single array.
[[nodiscard]] bool results_in_place(const Problem& problem);

// SampledOffsets of templates/pipeline/offset_samples.cuh.
[[nodiscard]] tiles::Layout samples_layout();

// SharedStorage of templates/kernel/scan.lookahead.cuh, in bytes.
[[nodiscard]] std::int64_t shared_bytes(const Problem& problem, const Shape& shape, Emit emission);

// Registers per thread: what a thread holds between reducing and scanning, its items, and about 32 besides.
[[nodiscard]] std::int64_t registers(const Problem& problem, const Shape& shape, Emit emission);

// Whether positions are the default, and their default shape, before it is made to fit, and states_per_lane.
[[nodiscard]] bool prefers_positions(const Problem& problem);
[[nodiscard]] Shape shape_for_positions(const Problem& problem);
[[nodiscard]] std::int64_t states_for_positions(const Problem& problem);

// Defaults and seeds, with results emitted by positions or in another way.
[[nodiscard]] Shape default_shape(const Problem& problem, const DeviceLimits& limits, bool by_positions);
[[nodiscard]] std::vector<Shape> seed_shapes(const Problem& problem);
[[nodiscard]] std::vector<Shape> seed_shapes_of_positions(const Problem& problem);

}  // namespace upsweep::lookahead
