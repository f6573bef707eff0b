// The constraints that the schedules have in common: what a block may take of a multiprocessor, and vectorized access.
#pragma once

#include <string>
#include <vector>

#include <upsweep/device_info.hpp>

#include "generator/tile_parameters.hpp"

namespace upsweep::tiles {

// What a block takes.
struct BlockNeeds {
  std::int64_t threads = 0;
  std::int64_t blocks = 1;  // that a multiprocessor must be able to hold at once
  std::int64_t shared_bytes = 0;
  std::int64_t registers = 0;  // per thread, at least

  // The parameters that these numbers follow from, for advice.
  const char* threads_from = "threads_per_block";
  const char* blocks_from = "minimum_blocks";
  const char* shared_bytes_from = "threads_per_block or items_per_thread";
  const char* items_from = "items_per_thread";
};

[[nodiscard]] std::vector<std::string> block_violations(const DeviceLimits& limits, const BlockNeeds& needs);

// Adds the violation of a prefetch that the device does not have.
void check_prefetch(std::vector<std::string>& violations, Prefetch value, const DeviceLimits& limits);

// Adds the violation of a vectorized access that does not fit, if that is what the parameter says.
void check_vectors(std::vector<std::string>& violations, const char* parameter, Access access, Type type,
                   std::int64_t items_per_thread);

// All of a kernel whose blocks load a tile and store its results: threads, registers, shared memory, resident blocks,
// access to each array, and prefetch.
[[nodiscard]] std::vector<std::string> tile_violations(const Problem& problem, const StoredTileValues& values,
                                                       const DeviceLimits& limits, std::int64_t shared_bytes);
// Of a scan: the same, and those of how a warp scans.
[[nodiscard]] std::vector<std::string> tile_violations(const Problem& problem, const ScanValues& values,
                                                       const DeviceLimits& limits, std::int64_t shared_bytes);

// Those rules in words; `capability` says what the schedule needs of the compute capability.
[[nodiscard]] std::vector<Constraint> tile_constraints(const std::string& capability);
[[nodiscard]] std::vector<Constraint> block_constraints();
[[nodiscard]] Constraint vector_constraint();

}  // namespace upsweep::tiles
