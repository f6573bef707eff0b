// The memory that timed calls rotate through, and the slots in it.
#include "tuner/measure/rotation_memory.hpp"

#include <gtest/gtest.h>

#include "tests/tuner/fake_device.hpp"
#include "tuner/measure/measurement.hpp"

namespace upsweep::tuner {
namespace {

TEST(RotationSlots, MoreThanFourTimesTheCache) {
  EXPECT_EQ(rotation_slots(with_l2(1000), Target::cuda, 100), 41);
  EXPECT_EQ(rotation_slots(with_l2(1000), Target::cuda, 5000), 2);
  EXPECT_EQ(rotation_slots(with_l2(1 << 20), Target::cuda, 1), 256);
  EXPECT_EQ(rotation_slots(with_l2(1000), Target::cuda, 0), 256);
}

TEST(RotationSlots, AtMostAQuarterOfTheMemory) {
  EXPECT_EQ(rotation_slots(with_l2(1000, 4000), Target::cuda, 100), 10);
  EXPECT_EQ(rotation_slots(with_l2(1000, 4000), Target::cuda, 900), 1);
  EXPECT_EQ(rotation_slots(with_l2(1000, 4000), Target::cuda, 9000), 1);
}

TEST(RotationSlots, TwoOnTheHost) {
  EXPECT_EQ(rotation_slots(with_l2(1 << 20), Target::host, 1), 2);
}

// The addresses of a slot, in the order of the arrays.
TEST(RotationMemory, EachArrayHasABlockAndAPattern) {
  FakeDevice device;
  device.own_limits = with_l2(1000);
  const Bytes keys{std::byte{1}, std::byte{2}}, values{std::byte{7}};
  const std::vector<TimedArray> arrays{
      {Direction::in, 300, keys}, {Direction::out, 700}, {Direction::in, 520, values}, {Direction::out, 4}};
  RotationMemory memory(device, nullptr,
                        std::vector<TimedArray>{{Direction::in, 1024, keys},
                                                {Direction::in, 768 * 9, values},
                                                {Direction::out, 768 * 9},
                                                {Direction::out, 256 * 9}});
  Measurement shared(device, nullptr, arrays, memory);
  EXPECT_EQ(shared.slots().count(), 2) << "of the first input, which has the least room";
  const auto at = [](const runtime::Buffer& block, std::size_t offset) {
    return static_cast<const void*>(static_cast<const std::byte*>(block.data()) + offset);
  };
  EXPECT_EQ(shared.slots().at(0), (SlotArrays{at(memory.inputs[0], 0), at(memory.outputs[0], 0),
                                              at(memory.inputs[1], 0), at(memory.outputs[1], 0)}));
  EXPECT_EQ(shared.slots().at(1), (SlotArrays{at(memory.inputs[0], 512), at(memory.outputs[0], 768),
                                              at(memory.inputs[1], 768), at(memory.outputs[1], 256)}));
  Measurement own(device, nullptr, arrays);
  EXPECT_EQ(own.slots().count(), 3) << "four times the cache, of 1524 bytes a call";
  for (const Measurement* measurement : {&shared, &own}) {
    const SlotArrays slot = measurement->slots().at(1);
    for (std::size_t i = 0; i < 300; ++i) ASSERT_EQ(static_cast<const std::byte*>(slot[0])[i], keys[i % 2]);
    for (std::size_t i = 0; i < 520; ++i) ASSERT_EQ(static_cast<const std::byte*>(slot[2])[i], values[0]);
  }
}

// Offsets ascend from the first one on: in shared memory, too, each slot has them from its beginning.
TEST(RotationMemory, EachSlotBeginsWithWhatItMust) {
  FakeDevice device;
  device.own_limits = with_l2(1000);
  Bytes offsets(300);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::byte>(i % 251);
  const TimedArray array{.direction = Direction::in, .bytes = 300, .pattern = offsets, .begins_slots = true};
  RotationMemory memory(device, nullptr, std::vector<TimedArray>{{Direction::in, 512 * 5, offsets}});
  const Measurement shared(device, nullptr, {&array, 1}, memory);
  ASSERT_GT(shared.slots().count(), 2);
  for (int slot = 0; slot < shared.slots().count(); ++slot) {
    const auto* const bytes = static_cast<const std::byte*>(shared.slots().at(slot)[0]);
    ASSERT_TRUE(std::equal(offsets.begin(), offsets.end(), bytes)) << slot;
  }
}

TEST(RotationMemory, MemoryWithFewerArraysDoesNotServe) {
  FakeDevice device;
  RotationMemory memory(device, nullptr, in_and_out(1024, 1024));
  const std::vector<TimedArray> two{{Direction::in, 16}, {Direction::in, 16}, {Direction::out, 16}};
  EXPECT_FALSE(memory.have_room(two, 1));
  EXPECT_TRUE(memory.have_room(in_and_out(16, 16), 4));
  EXPECT_FALSE(memory.have_room(in_and_out(16, 16), 5));
  EXPECT_THROW(Measurement(device, nullptr, two, memory), DeviceError);
}

TEST(RotationMemory, OnlyGrows) {
  FakeDevice device;
  std::optional<RotationMemory> memory;
  make_rotation_memory(memory, device, nullptr, in_and_out(1000, 10), 2);
  make_rotation_memory(memory, device, nullptr, in_and_out(10, 1000), 4);
  EXPECT_EQ(memory->inputs[0].bytes(), 2048u);
  EXPECT_EQ(memory->outputs[0].bytes(), 4096u);
  device.memory_left = 3000;
  make_rotation_memory(memory, device, nullptr, in_and_out(2000, 2000), 8);
  EXPECT_EQ(memory->inputs[0].bytes(), 4096u) << "halves, where memory is short";
  device.memory_left = 0;
  EXPECT_THROW(make_rotation_memory(memory, device, nullptr, in_and_out(10'000, 10'000), 8), DeviceError);
}

}  // namespace
}  // namespace upsweep::tuner
