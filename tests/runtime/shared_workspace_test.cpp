// A workspace that another launch uses at the same time, as two executables of one graph would: the launch ends with an
// error, and neither waits for ever nor writes beyond its output. (last_started may wait for ever.)
#include <cstring>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using test::affine;

struct Shared {
  const char* name;
  Problem problem;
  Config partial;
};

Config small(const Problem& problem, const DeviceLimits& limits, const Config& partial) {
  Config config = Space(problem, limits).complete(partial);
  for (const auto& [name, value] : {std::pair{"threads_per_block", 32}, {"items_per_thread", 1}}) {
    if (config.values.contains(name)) config.values[name] = std::int64_t{value};
  }
  if (partial.schedule == "lookahead") config.values["vectors_per_thread"] = std::int64_t{1};
  return config;
}

class SharedWorkspace : public testing::TestWithParam<Shared> {
 protected:
  SharedWorkspace()
      : device_(std::make_shared<runtime::HostDevice>()),
        plan_(test::host_engine(device_)->plan(
            GetParam().problem, small(GetParam().problem, device_->limits(), GetParam().partial), nullptr)),
        n_(12 * plan_.source().launch.items_per_tile),
        memory_(*device_, plan_.workspace_bytes(n_)),
        in_(*device_, n_ * 8),
        out_(*device_, n_ * 8 + guard),
        workspace_(plan_.borrow_workspace(memory_.data(), memory_.bytes())) {
    device_->fill(in_.data(), 0, in_.bytes(), nullptr);
    device_->fill(out_.data(), 0x77, out_.bytes(), nullptr);
  }
  void run(std::uint64_t seed) {
    runtime::HostSchedule schedule = test::hostile_schedule(seed);
    schedule.resident_blocks = 64;  // all: nobody waits for one that has not started
    device_->set_schedule(schedule);
    plan_.run(in_.data(), out_.data(), n_, identity(GetParam().problem.op, GetParam().problem.accumulator), nullptr,
              workspace_);
  }
  // The message of the error that the launch ends with; empty if it ends well.
  [[nodiscard]] std::string message(std::uint64_t seed) {
    return test::error_of<DeviceError>([&] { run(seed); });
  }
  void expect_nothing_beyond_the_output() const {
    for (std::size_t i = 0; i < guard; ++i) {
      ASSERT_EQ(static_cast<const unsigned char*>(out_.data())[n_ * 8 + i], 0x77) << i;
    }
  }
  [[nodiscard]] std::uint32_t& word(std::size_t index) { return static_cast<std::uint32_t*>(memory_.data())[index]; }

  static constexpr std::size_t guard = 4096;
  static constexpr const char* expected = "another launch uses the same workspace at the same time";
  std::shared_ptr<runtime::HostDevice> device_;
  Plan plan_;
  std::uint64_t n_;
  runtime::Buffer memory_, in_, out_;
  BorrowedWorkspace workspace_;
};

class DrawsFromASharedWorkspace : public SharedWorkspace {};
class WaitsInASharedWorkspace : public SharedWorkspace {};

// Another launch has drawn or counted as many times as this one does, before whoever drew last began the next epoch: a
// block of this launch gets a number too many.
TEST_P(DrawsFromASharedWorkspace, EndsWithAnError) {
  const bool counts = GetParam().partial.schedule == "last_block";
  const auto blocks = static_cast<std::uint32_t>(plan_.source().launch.blocks(n_, device_->limits().multiprocessors));
  run(1);
  for (std::uint64_t seed = 2; seed < 12; ++seed) {
    word(counts ? 1 : 0) = blocks;  // header: ticket, whose low half counts draws; or `unused`, `finished`
    const std::string found = message(seed);
    expect_nothing_beyond_the_output();
    device_->fill(memory_.data(), 0, memory_.bytes(), nullptr);
    ASSERT_NE(found.find(expected), std::string::npos) << "seed " << seed << ": " << found;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, DrawsFromASharedWorkspace,
    testing::Values(Shared{"lookback", affine(Algorithm::inclusive_scan, Type::u64), {"lookback", {}}},
                    Shared{"chained", affine(Algorithm::inclusive_scan, Type::u64), {"chained", {}}},
                    Shared{"all_aggregates", affine(Algorithm::inclusive_scan, Type::u64), {"all_aggregates", {}}},
                    Shared{"lookahead", affine(Algorithm::inclusive_scan, Type::u64), {"lookahead", {}}},
                    Shared{
                        "strided", affine(Algorithm::inclusive_scan, Type::u64), {"lookahead", {{"order", "strided"}}}},
                    Shared{"last_block", affine(Algorithm::reduce, Type::u64), {"last_block", {}}}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

// Another launch has published for the next epoch what this one waits for: where blocks publish by their index, so that
// a block of the other launch may have taken the place of one of this launch's.
TEST_P(WaitsInASharedWorkspace, EndsWithAnErrorOrIsRight) {
  int errors = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    run(seed);
    const std::uint32_t epoch = word(1);  // of the launch that comes
    const std::uint64_t slots = (memory_.bytes() - WorkspaceRule::header_bytes) / 16;
    for (std::uint64_t slot = 0; slot < slots; ++slot) {
      word((WorkspaceRule::header_bytes + 16 * slot + 8) / 4) = (epoch + 1) * 4 + 1;
    }
    const std::string found = message(seed);
    if (!found.empty()) {
      ++errors;
      ASSERT_NE(found.find(expected), std::string::npos) << "seed " << seed << ": " << found;
    }
    expect_nothing_beyond_the_output();
    device_->fill(memory_.data(), 0, memory_.bytes(), nullptr);
  }
  EXPECT_GT(errors, 0) << "no block waited for another one";
}

INSTANTIATE_TEST_SUITE_P(All, WaitsInASharedWorkspace,
                         testing::Values(Shared{"strided",
                                                affine(Algorithm::inclusive_scan, Type::u64),
                                                {"lookahead", {{"order", "strided"}}}}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace upsweep
