// The measurements of one problem, by size: they share the memory that their calls rotate through.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tuner/measure/measurement.hpp"
#include "tuner/verify/port_call.hpp"

namespace upsweep::tuner {

class Measurements {
 public:
  // `patterns`: of the inputs.
  Measurements(runtime::Device& device, runtime::Stream stream, const Problem& problem, std::vector<Bytes> patterns)
      : device_(device), stream_(stream), problem_(problem), patterns_(std::move(patterns)) {}

  // By how much the arrays of calls are off an aligned address.
  [[nodiscard]] Shifts shifts(bool misaligned) const { return misaligned ? shifts_of(problem_, 1, 2) : Shifts{}; }
  // Whether the memory is large enough. Where it is not, `at` makes other memory and ends all measurements.
  [[nodiscard]] bool have_room(std::uint64_t size, bool misaligned) const {
    if (measurements_.contains({size, misaligned})) return true;
    const std::vector<TimedArray> all = arrays(size, misaligned);
    return memory_ && memory_->have_room(all, slots_for(all));
  }
  [[nodiscard]] Measurement& at(std::uint64_t size, bool misaligned) {
    const std::vector<TimedArray> all = arrays(size, misaligned);
    if (!have_room(size, misaligned)) {
      measurements_.clear();
      make_rotation_memory(memory_, device_, stream_, all, slots_for(all));
    }
    return measurements_.try_emplace({size, misaligned}, device_, stream_, all, *memory_).first->second;
  }

 private:
  [[nodiscard]] std::vector<TimedArray> arrays(std::uint64_t size, bool misaligned) const {
    return timed_arrays(problem_, size, shifts(misaligned), patterns_);
  }
  [[nodiscard]] int slots_for(std::span<const TimedArray> arrays) const {
    return rotation_slots(device_.limits(), device_.target(), bytes_of_call(arrays));
  }

  runtime::Device& device_;
  runtime::Stream stream_;
  Problem problem_;
  std::vector<Bytes> patterns_;
  std::optional<RotationMemory> memory_;
  std::map<std::pair<std::uint64_t, bool>, Measurement> measurements_;  // by size and misaligned; they use the memory
};

}  // namespace upsweep::tuner
