#include "tuner/measure/slots.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::tuner {
namespace {

std::uint64_t bytes_of_blocks(const std::vector<runtime::Buffer>& blocks) {
  std::uint64_t bytes = 0;
  for (const runtime::Buffer& block : blocks) bytes += block.bytes();
  return bytes;
}

}  // namespace

Slots::Slots(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays)
    : device_(device),
      stream_(stream),
      call_bytes_(bytes_of_call(arrays)),
      count_(rotation_slots(device.limits(), device.target(), call_bytes_)) {
  make_rotation_memory(own_, device_, stream_, arrays, count_);
  memory_ = &*own_;
  count_ = static_cast<int>(std::min<std::uint64_t>(lay_out(arrays), count_));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    fill_slots(device_, stream_, arrays_[i].first, arrays[i], arrays_[i].stride, count_);
  }
}

Slots::Slots(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
             RotationMemory& memory)
    : device_(device),
      stream_(stream),
      call_bytes_(bytes_of_call(arrays)),
      count_(rotation_slots(device.limits(), device.target(), call_bytes_)),
      memory_(&memory) {
  const std::uint64_t room = lay_out(arrays);
  if (room == 0) {
    throw DeviceError(
        fmt::format("a call needs {} bytes of input and {} bytes of output, but the memory for measuring has only {} "
                    "and {} bytes: use fewer items",
                    bytes_of_call(arrays, Direction::in), bytes_of_call(arrays, Direction::out),
                    bytes_of_blocks(memory.inputs), bytes_of_blocks(memory.outputs)));
  }
  count_ = static_cast<int>(std::min<std::uint64_t>(room, count_));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].begins_slots) {
      fill_slots(device_, stream_, arrays_[i].first, arrays[i], arrays_[i].stride, count_);
    }
  }
}

std::uint64_t Slots::lay_out(std::span<const TimedArray> arrays) {
  std::uint64_t room = std::numeric_limits<std::uint64_t>::max();
  std::size_t inputs = 0, outputs = 0;
  for (const TimedArray& array : arrays) {
    const bool reads = array.direction == Direction::in;
    const std::vector<runtime::Buffer>& blocks = reads ? memory_->inputs : memory_->outputs;
    const std::size_t index = reads ? inputs++ : outputs++;
    if (index >= blocks.size()) return 0;
    const std::uint64_t stride = slot_stride(array.bytes);
    room = std::min(room, blocks[index].bytes() / stride);
    arrays_.push_back({static_cast<std::byte*>(blocks[index].data()), stride});
  }
  if (arrays_.size() > most_arrays) throw UsageError(fmt::format("a call has {} arrays at most", most_arrays));
  return room;
}

SlotArrays Slots::at(int index) const {
  SlotArrays addresses{};
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    addresses[i] = arrays_[i].first + static_cast<std::uint64_t>(index) * arrays_[i].stride;
  }
  return addresses;
}

SlotArrays Slots::next(Caches caches) {
  const SlotArrays arrays = at(next_);
  if (caches == Caches::cold) next_ = (next_ + 1) % count_;
  return arrays;
}

void Slots::evict() {
  if (memory_->eviction.data() == nullptr) memory_->eviction = runtime::Buffer(device_, 2 * device_.limits().l2_bytes);
  device_.fill(memory_->eviction.data(), 0, memory_->eviction.bytes(), stream_);
}

}  // namespace upsweep::tuner
