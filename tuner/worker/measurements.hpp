// The measurements of one problem, by size: they share the memory that their calls rotate through.
#pragma once

#include <algorithm>
#include <functional>
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
  // Makes what the inputs repeat, for data of that density.
  using MakePatterns = std::function<std::vector<Bytes>(Density density)>;
  Measurements(runtime::Device& device, runtime::Stream stream, const Problem& problem, MakePatterns make_patterns)
      : device_(device), stream_(stream), problem_(problem), make_patterns_(std::move(make_patterns)) {}

  // By how much the arrays of calls are off an aligned address.
  [[nodiscard]] Shifts shifts(bool misaligned) const { return misaligned ? shifts_of(problem_, 1, 2) : Shifts{}; }
  // Whether the memory is large enough. Where it is not, `at` makes other memory and ends all measurements.
  [[nodiscard]] bool have_room(std::uint64_t size, bool misaligned) const {
    if (measurements_.contains({size, misaligned})) return true;
    const std::vector<TimedArray> all = arrays(size, misaligned, {});
    return memory_ && memory_->have_room(all, slots_for(all));
  }
  // Until the next call, the inputs hold data of that density.
  [[nodiscard]] Measurement& at(std::uint64_t size, bool misaligned, Density density) {
    if (!patterns_.contains(density)) patterns_.emplace(density, make_patterns_(density));
    const std::vector<TimedArray> all = arrays(size, misaligned, patterns_.at(density));
    // What slots of one size begin with lies among those of another.
    const bool is_other = !measurements_.contains({size, misaligned}) || measurements_.size() > 1;
    if (is_other && std::ranges::any_of(all, &TimedArray::begins_slots)) measurements_.clear();
    if (!have_room(size, misaligned)) {
      measurements_.clear();
      make_rotation_memory(memory_, device_, stream_, all, slots_for(all));
    } else if (filled_with_ != density) {
      memory_->fill(device_, stream_, all);
    }
    filled_with_ = density;
    return measurements_.try_emplace({size, misaligned}, device_, stream_, all, *memory_).first->second;
  }

 private:
  [[nodiscard]] std::vector<TimedArray> arrays(std::uint64_t size, bool misaligned,
                                               std::span<const Bytes> patterns) const {
    return timed_arrays(problem_, size, shifts(misaligned), patterns);
  }
  [[nodiscard]] int slots_for(std::span<const TimedArray> arrays) const {
    return rotation_slots(device_.limits(), device_.target(), bytes_of_call(arrays));
  }

  runtime::Device& device_;
  runtime::Stream stream_;
  Problem problem_;
  MakePatterns make_patterns_;
  std::map<Density, std::vector<Bytes>> patterns_;
  std::optional<RotationMemory> memory_;
  Density filled_with_ = Density::unknown;                              // of the data in the memory
  std::map<std::pair<std::uint64_t, bool>, Measurement> measurements_;  // by size and misaligned; they use the memory
};

}  // namespace upsweep::tuner
