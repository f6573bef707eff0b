#include "bench/contestants.hpp"

#include <array>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include "tests/support/by_key.hpp"
#include "tests/support/selection.hpp"
#include "tests/tuner/fake_device.hpp"

namespace upsweep::bench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// What upsweep and the peer are given in a call of the same slot.
class ContestantsTest : public ::testing::Test {
 protected:
  ContestantsTest() {
    ::setenv("UPSWEEP_CUB_PEER", UPSWEEP_FAKE_PEER, 1);
    peer_ = Peer::find();
    ::unsetenv("UPSWEEP_CUB_PEER");
    for (std::size_t i = 0; i < slot_.size(); ++i) slot_[i] = &memory_[256 * i];
  }

  // The text that the fake peer writes of its call, and what it would be for the values of upsweep's call.
  struct Given {
    std::string peer;
    std::string upsweep;
  };
  Given given(const Problem& problem, const CompareOptions& options) {
    Given given;
    fake_.device->called = problem;
    fake_.device->execute = [&](const tuner::FakeCall& call) { given.upsweep = text_of(problem, call.values); };
    const Plan plan = fake_.engine->plan(problem, nullptr);
    for (const Contestant& each : contestants(*fake_.engine, problem, plan, 0, peer_, nullptr, options)) {
      if (each.who == Who::upsweep) each.call(slot_, nullptr);
      if (each.who != Who::peer) continue;
      EXPECT_EQ(each.label, "Fake 1.2.3");
      each.call(slot_, nullptr);
      given.peer = temporary();
    }
    return given;
  }
  [[nodiscard]] const void* in_slot(std::size_t array, std::size_t offset) const {
    return static_cast<const std::byte*>(slot_[array]) + offset;
  }

 private:
  static std::string text_of(const Problem& problem, const runtime::CallValues& values) {
    std::string text = "n " + std::to_string(values.n) + " stream 0 arrays";
    for (std::size_t i = 0; i < ports(problem).size(); ++i) text += fmt::format(" {}", values.arrays[i]);
    text += " scalars";
    for (std::size_t i = 0; i < scalars(problem).size(); ++i) {
      std::int32_t value = 0;
      std::memcpy(&value, values.scalars[i], sizeof value);
      text += " " + std::to_string(value);
    }
    return text;
  }
  // The block of the device with the text of the peer.
  [[nodiscard]] std::string temporary() const {
    for (const auto& [block, bytes] : fake_.device->blocks) {
      if (bytes == 1000) return static_cast<const char*>(block);
    }
    return {};
  }

  tuner::FakeEngine fake_;
  std::shared_ptr<const Peer> peer_;
  tuner::SlotArrays slot_{};
  alignas(256) std::array<std::byte, 256 * most_arrays> memory_{};
};

TEST_F(ContestantsTest, ThePeerSelectsByTheSameThresholdFromTheSameArrays) {
  Problem problem = test::selection(less, Type::u32, Type::u64);
  problem.size = 9;
  const Given call = given(problem, {.offset_in = 2, .offset_out = 3});
  EXPECT_EQ(call.peer, "select_if less u32 u64 key '' " + call.upsweep);
  EXPECT_EQ(call.upsweep, fmt::format("n 9 stream 0 arrays {} {} {} scalars {}", in_slot(0, 8), in_slot(1, 12),
                                      in_slot(2, 24), std::numeric_limits<std::int32_t>::min()))
      << "0x80000000, the middle of u32";
}

TEST_F(ContestantsTest, ThePeerReducesByTheSameKeys) {
  Problem problem = test::reduction_by_key(plus, Type::i32, Type::u64);
  problem.size = 9;
  const Given call = given(problem, {.offset_in = 1, .offset_out = 2});
  EXPECT_EQ(call.peer, "reduce_by_key plus i32 i32 key 'u64' " + call.upsweep);
  EXPECT_EQ(call.upsweep, fmt::format("n 9 stream 0 arrays {} {} {} {} {} scalars", in_slot(0, 8), in_slot(1, 4),
                                      in_slot(2, 16), in_slot(3, 8), in_slot(4, 16)));
}

TEST_F(ContestantsTest, ThePeerStartsWithTheSameInitialValue) {
  const Problem problem = make_problem(Algorithm::reduce, minimum, Type::i32, Type::i32, 9);
  const Given call = given(problem, {});
  EXPECT_EQ(call.peer, "reduce minimum i32 i32 key '' " + call.upsweep);
  EXPECT_THAT(call.upsweep, EndsWith(" scalars 2147483647"));
}

TEST_F(ContestantsTest, ThePeerIsNotAskedForWhatItWasNotBuiltFor) {
  const Given call = given(make_problem(Algorithm::exclusive_scan, plus, Type::i32, Type::i32, 9), {});
  EXPECT_EQ(call.peer, "");
  EXPECT_THAT(call.upsweep, HasSubstr("n 9"));
}

}  // namespace
}  // namespace upsweep::bench
