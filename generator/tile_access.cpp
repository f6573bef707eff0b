#include "generator/tile_access.hpp"

#include <algorithm>
#include <vector>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/tile_storage.hpp"
#include "generator/value_type.hpp"

namespace upsweep::tiles {
namespace {

// Bytes of the widest item that is read, or written, tile by tile.
std::size_t widest_of(const std::vector<Port>& ports) {
  std::size_t widest = 0;
  for (const Port& port : ports) widest = std::max(widest, size_of(port.type));
  return widest;
}

}  // namespace

bool fills_vectors(Type type) {
  return 16 % size_of(type) == 0 && alignment_of(type) == size_of(type);
}

int vector_bytes(Type type, std::int64_t items) {
  const auto size = static_cast<int>(size_of(type));
  if (!fills_vectors(type)) return 0;
  for (const int bytes : {16, 8, 4}) {
    if (bytes > size && items * size % bytes == 0) return bytes;
  }
  return 0;
}

Access plain_access(Type type, std::int64_t items) {
  return vector_bytes(type, items) != 0 ? Access::vectorized : Access::direct;
}

void set_default_access(StoredTileValues& values, const Problem& problem) {
  const std::vector<Port> inputs = tile_inputs(problem), outputs = tile_outputs(problem);
  const bool narrow = std::max(widest_of(inputs), widest_of(outputs)) <= 2;
  const auto access = [&](const std::vector<Port>& ports) {
    const bool fits = std::all_of(ports.begin(), ports.end(), [&](const Port& port) {
      return vector_bytes(port.type, values.items_per_thread) != 0;
    });
    return narrow && fits ? Access::vectorized : Access::warp_transpose;
  };
  values.load = access(inputs);
  values.store = is_compact(problem) ? Access::two_phase : access(outputs);
}

std::int64_t items_for_bytes(const Problem& problem, std::int64_t bytes) {
  const auto size = std::max(local_layout(problem).size, static_cast<std::int64_t>(bytes_read_per_item(problem)));
  return std::clamp<std::int64_t>(bytes / size, 4, 16);
}

bool adds_bytes(const Problem& problem) {
  return entry_of(problem).has_words && entry_of(problem.op).adds_bytes && size_of(problem.input) == 1 &&
         size_of(problem.accumulator) <= 4 && is_integer(problem.accumulator);
}

}  // namespace upsweep::tiles
