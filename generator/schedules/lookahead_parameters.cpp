// The parameters of the schedule lookahead, and the size of tiles.
#include "generator/schedules/lookahead_ring.hpp"

#include "generator/value_type.hpp"

namespace upsweep::lookahead {

constinit const CountParameter worker_warps{
    "worker_warps",
    "Number of warps in each block that reduce and scan tiles. Each block has three more warps: the loader, the "
    "publisher and the look-ahead warp.",
    {1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28}};

constinit const CountParameter vectors_per_thread{
    "vectors_per_thread",
    "Number of consecutive 16-byte vectors of a tile that each worker thread processes: of `in` or `values`, and as "
    "many items of other arrays. The number is odd to avoid bank conflicts in shared memory.",
    {1, 3, 5, 7, 9, 11}};

constinit const CountParameter stages{"stages",
                                      "Number of tiles that fit in the ring buffer of a block, in shared memory.",
                                      {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18}};

constinit const CountParameter reduce_ahead{"reduce_ahead",
                                            "Number of tiles that the workers reduce ahead of the tile that they scan.",
                                            {0, 1, 2, 3, 4, 5, 6, 8}};

constinit const CountParameter filler_warps{
    "filler_warps",
    "Number of warps that take turns at filling the stages, for segments: each searches the offsets for those within a "
    "tile, loads the tile and marks where segments begin.",
    {1, 2, 3, 4, 5, 6},
    3};

constinit const CountParameter row_columns{
    "row_columns",
    "Number of items behind the axis. The kernel scans one array with just so many. A plan runs calls with another "
    "number, and those of several arrays, with a kernel of another schedule.",
    {2, 3, 4}};

constinit const CountParameter states_per_lane{
    "states_per_lane",
    "Number of descriptors of other tiles that each lane of the look-ahead warp reads at once. The whole warp reads "
    "32 times as many descriptors.",
    {1, 2, 4, 5, 8}};

constinit const CountParameter blocks_per_multiprocessor{
    "blocks_per_multiprocessor",
    "Number of blocks that are launched per multiprocessor. Each multiprocessor must be able to hold all of them at "
    "once.",
    {1, 2, 3, 4}};

constinit const ChoiceParameter<Order> order{
    "order",
    "How tiles are assigned to blocks.",
    {{Order::ticket, "ticket",
      "A block that is ready for a tile draws the number of the next tile from an atomic counter."},
     {Order::strided, "strided",
      "With B blocks, block b processes the tiles b, b + B, b + 2B and so on. The launch is cooperative. The result "
      "is reproducible."}}};

constinit const ChoiceParameter<Fill> fill{
    "fill",
    "How a tile is copied from global to shared memory.",
    {{Fill::bulk, "bulk", "Bulk asynchronous copies (`cp.async.bulk`, compute capability 9.0 and later)."},
     {Fill::bulk_once, "bulk_once", "As `bulk`, with the evict-first policy in the L2 cache."},
     {Fill::async, "async", "Asynchronous copies of 16 bytes per lane (`cp.async`)."}}};

namespace {

constexpr Choice<Emit> bulk{Emit::bulk, "bulk",
                            "Bulk asynchronous copies (`cp.async.bulk`, compute capability 9.0 and later)."};
constexpr Choice<Emit> bulk_once{Emit::bulk_once, "bulk_once",
                                 "As `bulk`, with the evict-first policy in the L2 cache."};
constexpr Choice<Emit> vectorized{Emit::vectorized, "vectorized", "Stores of 16 bytes per lane."};
constexpr Choice<Emit> vectorized_once{Emit::vectorized_once, "vectorized_once",
                                       "As `vectorized`, with the evict-first policy in the L2 cache."};
constexpr Choice<Emit> positions{
    Emit::positions, "positions",
    "Shared memory gathers only the positions of the items that have a result. Each lane makes one result after the "
    "other of the items in the ring buffer, and stores it. For selections, indices, unique items and runs."};

}  // namespace

constinit const ChoiceParameter<Emit> emit{"emit",
                                           "How the results of a tile are copied from shared to global memory.",
                                           {bulk, bulk_once, vectorized, vectorized_once}};

constinit const ChoiceParameter<Emit> emit_of_selections{"emit",
                                                         "How the results of a tile reach global memory.",
                                                         {bulk, bulk_once, vectorized, vectorized_once, positions}};

namespace {

constexpr std::int64_t warp_size = 32;
constexpr std::int64_t vector_bytes = 16;
constexpr std::int64_t extra_warps = 3;  // loader, publisher, look-ahead

}  // namespace

std::int64_t Shape::threads() const {
  return (worker_warps + extra_warps + filler_warps) * warp_size;
}

std::int64_t Shape::tile_bytes() const {
  return worker_warps * warp_size * vectors_per_thread * vector_bytes;
}

std::int64_t Shape::tile_items(const Problem& problem) const {
  return tile_bytes() / static_cast<std::int64_t>(size_of(problem.input));
}

}  // namespace upsweep::lookahead
