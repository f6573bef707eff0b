// What the items of a problem allow: vectors, sizes of tiles, and several items per instruction.
#pragma once

#include <cstdint>

#include <upsweep/problem.hpp>

#include "generator/tile_parameters.hpp"

namespace upsweep::tiles {

// The most items of a problem for which one block or cluster is considered. Above, many blocks take a tenth of the
// time.
constexpr std::uint64_t most_items_of_few_blocks = std::uint64_t{1} << 20;

// Whether items of the type fill vectors of 16 bytes, at each address that they may have. All built-in types do.
[[nodiscard]] bool fills_vectors(Type type);

// Bytes that one vector access moves: the most of 16, 8 or 4 that a thread's items fill evenly; 0 if none holds two.
[[nodiscard]] int vector_bytes(Type type, std::int64_t items);

// `vectorized` where the items of a thread fill vectors, else `direct`.
[[nodiscard]] Access plain_access(Type type, std::int64_t items);

// Sets how threads read and write their items by default. Narrow ones are so few bytes that transposing does not pay.
void set_default_access(StoredTileValues& values, const Problem& problem);

// items_per_thread that gives a thread about `bytes` of accumulators.
[[nodiscard]] std::int64_t items_for_bytes(const Problem& problem, std::int64_t bytes);

// Whether the problem adds bytes to at most 32 bits: four at a time, by a dot product with ones.
[[nodiscard]] bool adds_bytes(const Problem& problem);

}  // namespace upsweep::tiles
