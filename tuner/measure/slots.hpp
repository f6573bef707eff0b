// The slots of device memory that timed calls of one size rotate through.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tuner/measure/timing.hpp"

namespace upsweep::tuner {

class Slots {
 public:
  // Allocates the slots and fills the inputs: each begins with its pattern. Halves the number of slots where memory is
  // short; throws DeviceError if not even one slot can be had.
  Slots(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays);
  // As many as the memory has room for; it must outlive this, and what calls write to the outputs stays there. Its
  // inputs have the patterns that they were given, but those that slots must begin with are written to each slot: they
  // hold until others are made in the same memory. Throws DeviceError if not even one slot fits.
  Slots(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays, RotationMemory& memory);
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  [[nodiscard]] int count() const noexcept { return count_; }
  // The arrays of one of them.
  [[nodiscard]] SlotArrays at(int index) const;
  // Those of the next call.
  [[nodiscard]] SlotArrays next(Caches caches);
  // Whether calls that rotate through so many slots would find their inputs in the L2 cache.
  [[nodiscard]] bool fit_the_cache(int slots) const { return call_bytes_ * slots < 4 * device_.limits().l2_bytes; }
  // Writes twice what the cache holds.
  void evict();

 private:
  struct Array {
    std::byte* first = nullptr;
    std::uint64_t stride = 0;
  };
  // Where the arrays lie in the memory; returns how many slots it has room for.
  std::uint64_t lay_out(std::span<const TimedArray> arrays);

  runtime::Device& device_;
  runtime::Stream stream_;
  std::uint64_t call_bytes_;
  int count_;
  int next_ = 0;
  std::optional<RotationMemory> own_;  // nothing if it was given some
  RotationMemory* memory_ = nullptr;
  std::vector<Array> arrays_;
};

}  // namespace upsweep::tuner
