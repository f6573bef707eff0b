#include "runtime/offset_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::runtime {
namespace {

constexpr std::uint64_t offsets_at_a_time = std::uint64_t{1} << 20;

std::uint64_t offset_of(const std::vector<std::byte>& read, std::uint64_t i, std::size_t size) {
  std::uint64_t offset = 0;
  std::memcpy(&offset, read.data() + i * size, size);  // little-endian
  return offset;
}

// `before`: the offset before this one, which is the `number`th.
void check_offset(std::uint64_t number, std::uint64_t before, std::uint64_t offset, std::uint64_t n) {
  if (number > 0 && offset < before) {
    throw UsageError(
        fmt::format("segment {} begins at item {} and ends at {}: offsets must ascend", number - 1, before, offset));
  }
  if (offset <= n) return;
  throw UsageError(fmt::format("segment {} {} at item {}, but there are {} items: no offset may be {} them",
                               number == 0 ? 0 : number - 1, number == 0 ? "begins" : "ends", offset, n,
                               "negative or behind"));
}

}  // namespace

void check_offsets(const PlanState& state, const CallValues& values, Stream stream) {
  if (!state.check_always || state.problem.shape != Shape::segments || values.offsets_are_known) return;
  if (state.device->identify(stream).capture != 0) return;
  const auto port = std::find_if(state.ports.begin(), state.ports.end(),
                                 [](const Port& each) { return each.extent == Extent::offsets; });
  const auto* const offsets =
      static_cast<const std::byte*>(values.arrays[static_cast<std::size_t>(port - state.ports.begin())]);
  const std::size_t size = size_of(port->type);
  std::uint64_t before = 0;
  for (std::uint64_t first = 0; first <= values.rows; first += offsets_at_a_time) {
    const std::uint64_t count = std::min(values.rows + 1 - first, offsets_at_a_time);
    std::vector<std::byte> read(count * size);
    state.device->copy_to_host(read.data(), offsets + first * size, read.size(), stream);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t offset = offset_of(read, i, size);
      check_offset(first + i, before, offset, values.n);
      before = offset;
    }
  }
}

}  // namespace upsweep::runtime
