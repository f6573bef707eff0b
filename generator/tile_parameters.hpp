// What the schedules that work tile by tile have in common: parameters, sizes and the parameter block.
#pragma once

#include <initializer_list>
#include <string>

#include <upsweep/device_info.hpp>

#include "generator/schedule.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep::tiles {

// ---- parameters

[[nodiscard]] Parameter threads_per_block();
[[nodiscard]] Parameter items_per_thread();
[[nodiscard]] Parameter minimum_blocks();
// A strategy's value, and what it does.
struct Choice {
  const char* value;
  const char* meaning;
};
[[nodiscard]] Parameter strategy(std::string name, std::string meaning, std::initializer_list<Choice> choices);
[[nodiscard]] Parameter count(std::string name, std::string meaning, std::initializer_list<std::int64_t> values);
// A parameter that came after its schedule: what a stored config without it stands for.
[[nodiscard]] Parameter absent_as(ParameterValue value, Parameter parameter);
[[nodiscard]] Parameter load();
[[nodiscard]] Parameter store(const Problem& problem);
[[nodiscard]] Parameter warp_scan();
[[nodiscard]] Parameter block_scan();
[[nodiscard]] Parameter descriptor();
[[nodiscard]] Parameter prefetch();

// ---- access

// Whether items of the type fill vectors of 16 bytes, at each address that they may have. All built-in types do.
[[nodiscard]] bool fills_vectors(Type type);

// Bytes that one vector access moves: the most of 16, 8 or 4 that a thread's items fill evenly; 0 if none holds two.
[[nodiscard]] int vector_bytes(Type type, const Config& config);

// ---- defaults and text

// Where one block or cluster is out of the question: many blocks take a tenth of the time.
// How threads read and write as many items as the config has, by default: narrow ones are so few bytes that transposing
// does not pay.
void set_default_access(Config& config, const Problem& problem);
// "vectorized" where the config's items of so many bytes fill vectors, else "direct".
[[nodiscard]] const char* plain_access(Type type, const Config& config);

constexpr std::uint64_t most_items_of_few_blocks = std::uint64_t{1} << 20;

// Whether the problem adds bytes to at most 32 bits: four at a time, by a dot product with ones.
[[nodiscard]] bool adds_bytes(const Problem& problem);

// Whether the problem looks for the least or the greatest of integers of 1 or 2 bytes: the operator can take two at a
// time, by instructions that devices from sm_90 on have.
[[nodiscard]] bool has_halves(const Problem& problem);

// The parameter of it, what it is by default, and whether a config has it on.
[[nodiscard]] Parameter packing();
[[nodiscard]] const char* default_packing(const DeviceLimits& limits);
[[nodiscard]] bool in_halves(const Config& config);

// items_per_thread that gives a thread about `bytes` of accumulators.
[[nodiscard]] std::int64_t items_for_bytes(const Problem& problem, std::int64_t bytes);

// Words of 64 bits that hold what tiles exchange.
[[nodiscard]] std::uint32_t value_words(const Problem& problem);

// The beginning of every parameter block: the types.
[[nodiscard]] std::string type_block(const Problem& problem);
// With threads, items and blocks.
[[nodiscard]] std::string parameter_block(const Problem& problem, const Config& config);
// One more line of it, with an empty line before.
[[nodiscard]] std::string constant(const char* type, const char* name, std::int64_t value);

// The storage role and dynamic shared memory for that many bytes.
void place_storage(Recipe& recipe, std::int64_t shared_bytes);

// Items per tile and threads of the launch.
void set_tile(Recipe& recipe, const Config& config);

// The strategy that fills grid/descriptor, and the workspace of such descriptors.
[[nodiscard]] std::string descriptor_strategy(const Problem& problem, const Config& config);
// `users` tells apart kernels that must not share one: those whose blocks draw once, as they start, and others.
[[nodiscard]] WorkspaceRule descriptor_workspace(const Problem& problem, const Config& config, const char* users,
                                                 bool slot_per_tile);

// What all scans share: roles, parameter block and tile.
[[nodiscard]] Recipe scan_recipe(const Problem& problem, const Config& config);

}  // namespace upsweep::tiles
