// The memory that timed calls rotate through.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <upsweep/problem.hpp>
#include <vector>

#include <upsweep/port.hpp>

#include "generator/arguments.hpp"
#include "runtime/device.hpp"

namespace upsweep::tuner {

[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Slots that calls rotate through: more than four times the L2 cache in all, 2 to 256, at most a
// quarter of the device's memory; 2 on the host device.
[[nodiscard]] int rotation_slots(const DeviceLimits& limits, Target target, std::uint64_t bytes_per_call);

// An array of timed calls.
struct TimedArray {
  Direction direction = Direction::in;
  std::uint64_t bytes = 0;
  std::span<const std::byte> pattern = {};  // what an input has repetitions of; empty: zeros
  bool begins_slots = false;                // each slot must begin with the pattern, as offsets must
};

// Of all arrays, or of those that are read or written.
[[nodiscard]] std::uint64_t bytes_of_call(std::span<const TimedArray> arrays);
[[nodiscard]] std::uint64_t bytes_of_call(std::span<const TimedArray> arrays, Direction direction);

// What slots are cut from: device memory, allocated and filled once, that many measurements can share. Each input and
// each output has a block of its own, by which it is known: the second input of a call lies in the second of `inputs`.
struct RotationMemory {
  // Blocks of as many bytes as the arrays have. Throws DeviceError where memory is short.
  RotationMemory(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays);
  // Fills the inputs with these patterns, and the outputs with zeros.
  void fill(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays);
  // Whether it has so many slots for the arrays.
  [[nodiscard]] bool have_room(std::span<const TimedArray> arrays, int slots) const;

  std::vector<runtime::Buffer> inputs;
  std::vector<runtime::Buffer> outputs;
  runtime::Buffer eviction;  // what is written to empty the L2 cache; made when it is first needed
};

// Makes memory with blocks that are no smaller than those of the one before, which is freed, and have so many slots for
// the arrays; where there is not enough, halves of those slots. Throws DeviceError where not even one slot can be had.
void make_rotation_memory(std::optional<RotationMemory>& memory, runtime::Device& device, runtime::Stream stream,
                          std::span<const TimedArray> arrays, int slots);

// Bytes from one slot to the next: slots begin where cudaMalloc's blocks would.
[[nodiscard]] std::uint64_t slot_stride(std::uint64_t bytes_per_call);

// Fills the slots of an input, of which the first begins at that address: each begins with the pattern.
void fill_slots(runtime::Device& device, runtime::Stream stream, std::byte* first, const TimedArray& array,
                std::uint64_t stride, int slots);

// Where the arrays of one slot lie, in the order in which a measurement was given them.
using SlotArrays = std::array<const void*, most_arrays>;

// Throws UsageError for a size whose input and output the device's memory cannot hold.
void check_size(const Problem& problem, const runtime::Device& device);

}  // namespace upsweep::tuner
