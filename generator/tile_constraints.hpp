// The constraints that the schedules have in common: what a block may take of a multiprocessor, and vectorized access.
#pragma once

#include <string>
#include <vector>

#include <upsweep/device_info.hpp>

#include "generator/schedule.hpp"

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
void check_prefetch(std::vector<std::string>& violations, const Config& config, const DeviceLimits& limits);

// Threads, registers, shared memory and resident blocks of a schedule whose threads hold their items.
[[nodiscard]] std::vector<std::string> resource_violations(const Problem& problem, const Config& config,
                                                           const DeviceLimits& limits, std::int64_t shared_bytes);
// Adds the violation of a vectorized access that does not fit, if that is the strategy.
void check_vectors(std::vector<std::string>& violations, const char* parameter, Type type, const Config& config);

// Those of every array that is read and written tile by tile, by the parameters `load` and `store`.
void check_access(std::vector<std::string>& violations, const Problem& problem, const Config& config);

// Those rules in words.
[[nodiscard]] std::vector<Constraint> block_constraints();
[[nodiscard]] Constraint vector_constraint();
[[nodiscard]] Constraint capability_constraint(std::string meaning);

}  // namespace upsweep::tiles
