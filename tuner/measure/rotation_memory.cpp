#include "tuner/measure/rotation_memory.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"

namespace upsweep::tuner {
namespace {

// Repeats what the first `filled` bytes hold.
void repeat(runtime::Device& device, runtime::Stream stream, std::byte* first, std::uint64_t filled,
            std::uint64_t bytes) {
  while (filled < bytes) {
    const std::uint64_t more = std::min(filled, bytes - filled);
    device.copy_on_device(first + filled, first, more, stream);
    filled += more;
  }
}

// Calls `use` with each array and the block of the memory that is its own; null: there is none.
template <typename Use>
void with_blocks(const RotationMemory* memory, std::span<const TimedArray> arrays, const Use& use) {
  std::size_t inputs = 0, outputs = 0;
  for (const TimedArray& array : arrays) {
    const bool reads = array.direction == Direction::in;
    const std::size_t index = reads ? inputs++ : outputs++;
    if (memory == nullptr) {
      use(array, nullptr);
      continue;
    }
    const std::vector<runtime::Buffer>& blocks = reads ? memory->inputs : memory->outputs;
    use(array, index < blocks.size() ? &blocks[index] : nullptr);
  }
}

}  // namespace

int rotation_slots(const DeviceLimits& limits, Target target, std::uint64_t bytes_per_call) {
  if (target == Target::host) return 2;
  const std::uint64_t bytes = std::max<std::uint64_t>(bytes_per_call, 1);
  std::uint64_t slots = std::clamp<std::uint64_t>(4 * limits.l2_bytes / bytes + 1, 2, 256);
  if (limits.memory_bytes != 0) slots = std::min(slots, limits.memory_bytes / 4 / bytes);
  return static_cast<int>(std::max<std::uint64_t>(slots, 1));
}

std::uint64_t slot_stride(std::uint64_t bytes_per_call) {
  constexpr std::uint64_t alignment = 256;
  return std::max(round_up(bytes_per_call, alignment), alignment);
}

std::uint64_t bytes_of_call(std::span<const TimedArray> arrays, Direction direction) {
  std::uint64_t bytes = 0;
  for (const TimedArray& array : arrays) {
    if (array.direction == direction) bytes += array.bytes;
  }
  return bytes;
}

std::uint64_t bytes_of_call(std::span<const TimedArray> arrays) {
  return bytes_of_call(arrays, Direction::in) + bytes_of_call(arrays, Direction::out);
}

void fill_slots(runtime::Device& device, runtime::Stream stream, std::byte* first, const TimedArray& array,
                std::uint64_t stride, int slots) {
  const std::uint64_t filled = std::min<std::uint64_t>(array.pattern.size(), array.bytes);
  if (filled == 0 || array.direction != Direction::in) return;
  device.copy_to_device(first, array.pattern.data(), filled, stream);
  repeat(device, stream, first, filled, array.bytes);
  for (int slot = 1; slot < slots; ++slot) device.copy_on_device(first + slot * stride, first, array.bytes, stream);
  device.synchronize(stream);
}

RotationMemory::RotationMemory(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays) {
  for (const TimedArray& array : arrays) {
    (array.direction == Direction::in ? inputs : outputs).emplace_back(device, array.bytes);
  }
  fill(device, stream, arrays);
}

void RotationMemory::fill(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays) {
  with_blocks(this, arrays, [&](const TimedArray& array, const runtime::Buffer* block) {
    const std::span<const std::byte> pattern =
        array.direction == Direction::in ? array.pattern : array.pattern.first(0);
    const std::uint64_t filled = std::min<std::uint64_t>(pattern.size(), block->bytes());
    if (filled == 0) return device.fill(block->data(), 0, block->bytes(), stream);
    device.copy_to_device(block->data(), pattern.data(), filled, stream);
    repeat(device, stream, static_cast<std::byte*>(block->data()), filled, block->bytes());
  });
  device.synchronize(stream);
}

bool RotationMemory::have_room(std::span<const TimedArray> arrays, int slots) const {
  bool fits = true;
  with_blocks(this, arrays, [&](const TimedArray& array, const runtime::Buffer* block) {
    fits = fits && block != nullptr && block->bytes() >= slot_stride(array.bytes) * slots;
  });
  return fits;
}

void make_rotation_memory(std::optional<RotationMemory>& memory, runtime::Device& device, runtime::Stream stream,
                          std::span<const TimedArray> arrays, int slots) {
  std::vector<std::uint64_t> least;  // of the blocks that there were
  with_blocks(memory ? &*memory : nullptr, arrays, [&](const TimedArray&, const runtime::Buffer* block) {
    least.push_back(block == nullptr ? 0 : block->bytes());
  });
  memory.reset();
  for (;; slots /= 2) {
    std::vector<TimedArray> blocks(arrays.begin(), arrays.end());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      blocks[i].bytes = std::max(least[i], slot_stride(arrays[i].bytes) * slots);
    }
    try {
      memory.emplace(device, stream, blocks);
      return;
    } catch (const DeviceError&) {
      if (slots == 1) throw;
      std::fill(least.begin(), least.end(), 0);
    }
  }
}

void check_size(const Problem& problem, const runtime::Device& device) {
  // A device that does not tell: what no device has, and what leaves room for the arithmetic on sizes.
  constexpr std::uint64_t more_than_any = std::uint64_t{1} << 56;
  const std::uint64_t known = device.limits().memory_bytes;
  const std::uint64_t memory = known == 0 || known > more_than_any ? more_than_any : known;
  const std::uint64_t in = input_bytes(problem, problem.size), out = output_bytes(problem, problem.size);
  if (in <= memory && out <= memory - in) return;
  throw UsageError(fmt::format("{} of {} items needs more memory than {} has ({} bytes): give smaller sizes",
                               to_string(problem), problem.size, device.label(), memory));
}

}  // namespace upsweep::tuner
