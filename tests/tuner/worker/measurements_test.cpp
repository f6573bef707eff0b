// What the inputs of measurements hold: data of the density that was asked for last, in the same memory.
#include "tuner/worker/measurements.hpp"

#include <gtest/gtest.h>

#include "tests/tuner/fake_device.hpp"

namespace upsweep::tuner {
namespace {

TEST(Measurements, InputsHoldDataOfTheAskedDensity) {
  FakeDevice device;
  const Problem problem = make_problem(Algorithm::select_if, Operator::less, Type::i32, Type::u64, 4096);
  std::vector<Density> made;
  Measurements measurements(device, {}, problem, [&](Density density) {
    made.push_back(density);
    return std::vector<Bytes>{Bytes(64, static_cast<std::byte>(density))};
  });
  const auto first_byte = [&](Density density, bool misaligned) {
    const SlotArrays arrays = measurements.at(problem.size, misaligned, density).slots().at(0);
    return static_cast<Density>(*static_cast<const unsigned char*>(arrays[0]));
  };
  EXPECT_EQ(first_byte(Density::unknown, false), Density::unknown);
  const std::size_t blocks = device.blocks.size();
  for (const Density density : {Density::few, Density::all, Density::unknown, Density::few}) {
    EXPECT_EQ(first_byte(density, false), density);
    EXPECT_EQ(first_byte(density, true), density);
  }
  EXPECT_EQ(device.blocks.size(), blocks) << "no other memory";
  EXPECT_EQ(made, (std::vector{Density::unknown, Density::few, Density::all})) << "each is made once";
}

}  // namespace
}  // namespace upsweep::tuner
