#include "generator/tile_parameters.hpp"

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep::tiles {
namespace {

constexpr const char* direct_meaning =
    "Each thread accesses its own consecutive items one by one. This needs no shared memory, but the accesses of a "
    "warp are strided.";
constexpr const char* vectorized_meaning =
    "Each thread accesses its own consecutive items in vectors of 16, 8 or 4 bytes. Where the address is not aligned, "
    "the thread accesses its items one by one.";

constexpr const char* block_scan_meaning = "How a block scans the values of its threads, one value per thread.";
constexpr const char* warp_scans_meaning = "Each warp scans its own values. Then the totals of the warps are scanned.";
constexpr const char* raking_meaning =
    "All values go to shared memory. Each lane of one warp reduces one segment. The warp scans the totals of the "
    "segments, and each lane then scans its segment.";

constinit const ChoiceParameter<Access> compact_store{
    "store",
    "How the results of a tile, which are consecutive, are stored to global memory.",
    {{Access::direct, "direct", "Each thread writes its results one by one, as soon as it has found their places."},
     {Access::two_phase, "two_phase",
      "The block gathers the results in shared memory. Consecutive threads then write consecutive results "
      "(coalesced)."}}};

constinit const ChoiceParameter<Access> dense_store{
    "store",
    "How the results of a tile are stored from registers to global memory.",
    {{Access::direct, "direct", direct_meaning},
     {Access::vectorized, "vectorized", vectorized_meaning},
     {Access::block_transpose, "block_transpose",
      "The block transposes the results in shared memory. Consecutive threads then write consecutive items (striped "
      "arrangement, coalesced)."},
     {Access::warp_transpose, "warp_transpose",
      "Each warp transposes its results in shared memory, without a block-wide barrier. Consecutive lanes then "
      "write consecutive items."}}};

}  // namespace

constinit const CountParameter threads_per_block{
    "threads_per_block",
    "Number of threads in each block.",
    {32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 448, 512, 576, 640, 768, 896, 1024}};

constinit const CountParameter items_per_thread{
    "items_per_thread",
    "Number of consecutive items that each thread holds in registers (blocked arrangement). A tile has "
    "`threads_per_block` x `items_per_thread` items.",
    {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
     17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32}};

constinit const CountParameter minimum_blocks{
    "minimum_blocks",
    "Number of blocks that each multiprocessor must be able to hold at once: the second argument of "
    "`__launch_bounds__`. The compiler limits the registers per thread accordingly.",
    {1, 2, 3, 4, 6, 8}};

constinit const ChoiceParameter<Access> load{
    "load",
    "How the items of a tile are loaded from global memory into registers.",
    {{Access::direct, "direct", direct_meaning},
     {Access::vectorized, "vectorized", vectorized_meaning},
     {Access::block_transpose, "block_transpose",
      "Consecutive threads of the block read consecutive items of the tile (striped arrangement, coalesced). The "
      "block then transposes the items in shared memory."},
     {Access::warp_transpose, "warp_transpose",
      "Consecutive lanes of each warp read consecutive items of the warp's part of the tile. The warp then "
      "transposes these items in shared memory, without a block-wide barrier."}}};

const ChoiceParameter<Access>& store(const Problem& problem) {
  return is_compact(problem) ? compact_store : dense_store;
}

namespace {

constexpr const char* warp_scan_meaning = "The scan network that a warp uses. The lanes exchange values with shuffles.";
constexpr Choice<WarpScan> kogge_stone{WarpScan::kogge_stone, "kogge_stone",
                                       "5 steps. All lanes are active in each step (Kogge and Stone, 1973)."};
constexpr Choice<WarpScan> sklansky{
    WarpScan::sklansky, "sklansky",
    "5 steps. In each step, the upper half of a group of lanes adds the total of the lower half (Sklansky, 1960)."};
constexpr Choice<WarpScan> brent_kung{WarpScan::brent_kung, "brent_kung",
                                      "9 steps, with the fewest applications of the operator (Brent and Kung, 1982)."};
constexpr Choice<WarpScan> ladner_fischer{
    WarpScan::ladner_fischer, "ladner_fischer",
    "6 steps: pairs of lanes, `sklansky` over the pairs, then the lanes between (Ladner and Fischer, 1980). A search "
    "seldom proposes it.",
    true};
constexpr Choice<WarpScan> han_carlson{
    WarpScan::han_carlson, "han_carlson",
    "6 steps: pairs of lanes, `kogge_stone` over the pairs, then the lanes between (Han and Carlson, 1987). A search "
    "seldom proposes it.",
    true};
constexpr Choice<WarpScan> kogge_stone_radix_4{
    WarpScan::kogge_stone_radix_4, "kogge_stone_radix_4",
    "`kogge_stone` of radix 4: 3 steps, in which a lane takes up to three earlier values, with two applications of "
    "the operator in a row. A search seldom proposes it.",
    true};
constexpr Choice<WarpScan> serial{WarpScan::serial, "serial", "31 steps, lane after lane. A search seldom proposes it.",
                                  true};
constexpr Choice<WarpScan> matrix{
    WarpScan::matrix, "matrix",
    "The matrix units multiply the values, byte by byte, by a triangle of ones (Dakkak et al., \"Accelerating "
    "Reduction and Scan Using Tensor Core Units\", 2019). For sums of `i32` and `u32`, compute capability 8.0 and "
    "later. A search seldom proposes it.",
    true};

constinit const ChoiceParameter<WarpScan> warp_scan_networks{
    "warp_scan",
    warp_scan_meaning,
    {kogge_stone, sklansky, brent_kung, ladner_fischer, han_carlson, kogge_stone_radix_4, serial}};

}  // namespace

constinit const ChoiceParameter<WarpScan> warp_scan{
    "warp_scan",
    warp_scan_meaning,
    {kogge_stone, sklansky, brent_kung, ladner_fischer, han_carlson, kogge_stone_radix_4, serial, matrix}};

const ChoiceParameter<WarpScan>& warp_scan_of(const Problem& problem) {
  const bool is_word = problem.accumulator == Type::i32 || problem.accumulator == Type::u32;
  const bool has_matrix = is_word && problem.op == Operator::plus && is_scanned(problem) && is_dense(problem) &&
                          entry_of(problem).fold == Fold::values;
  return has_matrix ? warp_scan : warp_scan_networks;
}

constinit const ChoiceParameter<BlockScan> block_scan{
    "block_scan",
    block_scan_meaning,
    {{BlockScan::warp_scans, "warp_scans", warp_scans_meaning}, {BlockScan::raking, "raking", raking_meaning}}};

constinit const ChoiceParameter<BlockScan> any_block_scan{
    "block_scan",
    block_scan_meaning,
    {{BlockScan::warp_scans, "warp_scans", warp_scans_meaning},
     {BlockScan::raking, "raking", raking_meaning},
     {BlockScan::raking_16, "raking_16",
      "The same with 16 lanes of one warp, each with a segment twice as long (Merrill, \"CUB: Collective Software "
      "Primitives\", GPU Technology Conference, 2014).",
      true},
     {BlockScan::blelloch, "blelloch",
      "Work-efficient scan in shared memory: an upsweep and a downsweep over a tree (Blelloch, 1990; GPU Gems 3, 2007, "
      "section 39.2.2). Addresses that are a power of two apart conflict in the banks.",
      true},
     {BlockScan::blelloch_padded, "blelloch_padded",
      "The same, with one free element after every 32 against bank conflicts (GPU Gems 3, section 39.2.3).", true},
     {BlockScan::hillis_steele, "hillis_steele",
      "Doubling distances in shared memory, between two buffers (Hillis and Steele, 1986; GPU Gems 3, section "
      "39.2.1).",
      true},
     {BlockScan::kogge_stone, "kogge_stone",
      "The same in one buffer, with two barriers per step (Kogge and Stone, 1973).", true},
     {BlockScan::sklansky, "sklansky",
      "In shared memory: in each step, the upper half of a group of threads adds the total of the lower half "
      "(Sklansky, 1960).",
      true},
     {BlockScan::brent_kung, "brent_kung",
      "In shared memory: a tree up and a tree down, with few applications of the operator (Brent and Kung, 1982).",
      true}}};

constinit const ChoiceParameter<Descriptor> descriptor{
    "descriptor",
    "How a tile or block publishes its value and its status to the others. The status tells whether the value is "
    "not yet available, an aggregate, or an inclusive prefix.",
    {{Descriptor::packed, "packed",
      "Value and status share one word of 64 or 128 bits, which is written at once. No fence is needed. A value of "
      "16 bytes takes several such words."},
     {Descriptor::split, "split",
      "Value and status are in separate words. The status is written with release semantics and read with acquire "
      "semantics."}}};

constinit const ChoiceParameter<Prefetch> prefetch{
    "prefetch",
    "Whether each block prefetches a tile into the L2 cache when the block starts. With `dependent_launch=yes`, the "
    "block may start while the previous kernel still runs. It then prefetches while it waits for that kernel.",
    {{Prefetch::none, "none", "No prefetch."},
     {Prefetch::bulk, "bulk",
      "One bulk prefetch instruction for the bytes of a tile (compute capability 9.0 and later)."}},
    Prefetch::none};

constinit const ChoiceParameter<Packing> packing{
    "packing",
    "How a thread computes the minimum or maximum of integers of 8 or 16 bits. Only these problems have this "
    "parameter.",
    {{Packing::single, "single", "One value per instruction."},
     {Packing::packed_16x2, "packed_16x2", "Two values per instruction, one in each half of a 32-bit word."}},
    Packing::single};

bool has_packing(const Problem& problem) {
  return entry_of(problem).has_words && !entry_of(problem.op).packed_16x2.empty() && size_of(problem.input) <= 2 &&
         is_integer(problem.input) && problem.accumulator == problem.input && problem.output == problem.input;
}

Prefetch default_prefetch(const DeviceLimits& limits) {
  return limits.compute_capability >= 90 ? Prefetch::bulk : Prefetch::none;
}

Packing default_packing(const Problem& problem, const DeviceLimits& limits) {
  return has_packing(problem) && limits.compute_capability >= 90 ? Packing::packed_16x2 : Packing::single;
}

}  // namespace upsweep::tiles
