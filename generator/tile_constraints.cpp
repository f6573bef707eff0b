#include "generator/tile_constraints.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep::tiles {

void check_prefetch(std::vector<std::string>& violations, Prefetch value, const DeviceLimits& limits) {
  if (value == Prefetch::none || limits.compute_capability >= 90) return;
  violations.emplace_back("compute capability: prefetch=bulk needs 9.0 or higher; use prefetch=none");
}

void check_vectors(std::vector<std::string>& violations, const char* parameter, Access access, Type type,
                   std::int64_t items) {
  if (access != Access::vectorized || vector_bytes(type, items) != 0) return;
  violations.push_back(fmt::format(
      "alignment: with {0}=vectorized, the items of a thread must fill whole vectors of 4, 8 or 16 bytes, with at "
      "least two items per vector, but {1} items of {2} bytes do not; use another items_per_thread or another {0}",
      parameter, items, size_of(type)));
}

std::vector<std::string> tile_violations(const Problem& problem, const StoredTileValues& values,
                                         const DeviceLimits& limits, std::int64_t shared_bytes) {
  // The items and about 24 registers of addresses and counters.
  std::size_t item = value_size(problem);
  if (!has_plain_items(problem)) item = bytes_read_per_item(problem);
  const auto words = static_cast<std::int64_t>((item + 3) / 4);
  std::vector<std::string> violations = block_violations(limits, {.threads = values.threads_per_block,
                                                                  .blocks = values.minimum_blocks,
                                                                  .shared_bytes = shared_bytes,
                                                                  .registers = values.items_per_thread * words + 24});
  for (const Port& port : tile_inputs(problem)) {
    check_vectors(violations, "load", values.load, port.type, values.items_per_thread);
  }
  for (const Port& port : tile_outputs(problem)) {
    check_vectors(violations, "store", values.store, port.type, values.items_per_thread);
  }
  check_prefetch(violations, values.prefetch, limits);
  return violations;
}

std::vector<std::string> tile_violations(const Problem& problem, const ScanValues& values, const DeviceLimits& limits,
                                         std::int64_t shared_bytes) {
  const StoredTileValues& of_tile = values;
  std::vector<std::string> violations = tile_violations(problem, of_tile, limits, shared_bytes);
  if (values.warp_scan == WarpScan::matrix && limits.compute_capability < 80) {
    violations.emplace_back("compute capability: warp_scan=matrix needs 8.0 or higher; use warp_scan=kogge_stone");
  }
  return violations;
}

std::vector<Constraint> tile_constraints(const std::string& capability) {
  std::vector<Constraint> constraints = block_constraints();
  constraints.push_back(vector_constraint());
  constraints.push_back(capability_constraint(capability));
  return constraints;
}

std::vector<std::string> block_violations(const DeviceLimits& limits, const BlockNeeds& needs) {
  std::vector<std::string> violations;
  const std::int64_t threads = needs.threads, blocks = needs.blocks, shared_bytes = needs.shared_bytes;
  const auto require = [&](const char* what, std::int64_t asked, std::int64_t limit, const std::string& advice) {
    if (asked > limit)
      violations.push_back(
          fmt::format("{}: the config needs {}, but the device has {}; lower {}", what, asked, limit, advice));
  };
  require("threads_per_block", threads, limits.threads_per_block, needs.threads_from);
  require("threads per multiprocessor", threads * blocks, limits.threads_per_multiprocessor,
          fmt::format("{} or {}", needs.threads_from, needs.blocks_from));
  require("blocks per multiprocessor", blocks, limits.blocks_per_multiprocessor, needs.blocks_from);
  require("shared memory per block (bytes)", shared_bytes, limits.shared_bytes_per_block, needs.shared_bytes_from);
  // The driver keeps 1 KiB a block for itself from sm_80 on.
  require("shared memory per multiprocessor (bytes)", (shared_bytes + 1024) * blocks,
          std::max<std::int64_t>(limits.shared_bytes_per_multiprocessor, limits.shared_bytes_per_block + 1024),
          fmt::format("{}, {}", needs.blocks_from, needs.shared_bytes_from));
  // What is above 255 registers spills.
  const std::int64_t available = std::min<std::int64_t>(255, limits.registers_per_multiprocessor / (threads * blocks));
  require("registers per thread", needs.registers, available,
          fmt::format("{}, {} or {}", needs.items_from, needs.threads_from, needs.blocks_from));
  return violations;
}

std::vector<Constraint> block_constraints() {
  return {
      {"threads_per_block", "A block has at most as many threads as the device allows (1024)."},
      {"threads per multiprocessor",
       "A multiprocessor can hold the threads of all required blocks. The number of required blocks is "
       "`minimum_blocks` (in `lookahead`: `blocks_per_multiprocessor`)."},
      {"blocks per multiprocessor",
       "`minimum_blocks` (in `lookahead`: `blocks_per_multiprocessor`) is at most the number of blocks that a "
       "multiprocessor can hold."},
      {"shared memory per block (bytes)",
       "A block uses at most the shared memory that the device allows per block (with opt-in)."},
      {"shared memory per multiprocessor (bytes)",
       "The shared memory of all required blocks, plus 1 KiB per block for the driver, is at most the shared memory of "
       "the multiprocessor."},
      {"registers per thread",
       "The items that a thread holds, and 24 to 32 other registers, fit in the registers of the thread. A thread has "
       "at most 255 registers, and fewer if the required blocks have many threads."},
  };
}

Constraint vector_constraint() {
  return {"alignment",
          "With `load=vectorized` or `store=vectorized`, the items of a thread fill whole vectors of 4, 8 or 16 bytes, "
          "with at least two items per vector."};
}

}  // namespace upsweep::tiles
