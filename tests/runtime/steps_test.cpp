// Plans of several steps: a schedule that the tests define, on the host device, against plain loops.
#include <upsweep/plan.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "runtime/engine.hpp"
#include "runtime/host/host_device.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/defined_runs.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/two_steps.hpp"

namespace upsweep {
namespace {

using test::Map;
using testing::HasSubstr;

constexpr std::uint64_t tile = 64;

class Steps : public testing::Test {
 protected:
  [[nodiscard]] Plan plan(bool dependent = false) {
    return engine_->plan(problem_, test::two_step_config(tile, dependent), nullptr);
  }
  // What a call of the items leaves in `got` must be their scan.
  static void expect_scanned(const std::vector<Map>& items, Map initial, const std::vector<Map>& got) {
    std::vector<Map> expected;
    for (const Map item : items) {
      expected.push_back(initial);
      initial = Map::combine(initial, item);
    }
    EXPECT_TRUE(got == expected) << items.size() << " items";
  }
  void run_and_compare(const Plan& plan, std::uint64_t n, std::uint64_t seed) {
    const std::vector<Map> items = test::items_of<Map>(problem_, n, seed);
    std::vector<Map> got(n);
    const Map initial{3, static_cast<std::uint32_t>(seed)};
    plan.run(items.data(), got.data(), n, Map::scalar(initial));
    device_->synchronize(nullptr);
    expect_scanned(items, initial, got);
  }

  Problem problem_ = test::two_step_problem(5 * tile);
  std::shared_ptr<runtime::HostDevice> device_ = test::two_multiprocessors();
  std::shared_ptr<runtime::Engine> engine_ = test::host_engine(device_);
};

TEST_F(Steps, EachHasASourceOfItsOwn) {
  const Config config = test::two_step_config(tile);
  const std::vector<Source> steps = generate_steps(problem_, config, Target::cuda);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_NE(steps[0].key, steps[1].key);
  EXPECT_THAT(steps[0].text, HasSubstr("// step: 1 of 2\n"));
  EXPECT_THAT(steps[1].text, HasSubstr("// step: 2 of 2\n"));
  EXPECT_THAT(steps[1].text,
              HasSubstr("// scratch: tile_folds, 8 bytes per item, 0 items, one for each 64 of the call"));
  EXPECT_EQ(steps[0].arguments.members.back().name, "tile_folds");
  EXPECT_TRUE(steps[0].workspace.layout.empty());
  EXPECT_EQ(steps[1].workspace.layout, "tiles_of_the_test");
  // Each rounded up to 128 bytes: a header and two slots more than there are tiles, and 101 folds.
  EXPECT_EQ(workspace_bytes(steps, 100 * tile + 1, 132), 128u + 896u);
  EXPECT_EQ(test::message_of<UsageError>([&] { (void)generate(problem_, config, Target::cuda); }),
            "the schedule two_steps has 2 steps: call generate_steps() for their sources");
}

TEST_F(Steps, AreRunOneAfterTheOther) {
  const Plan scan = plan();
  ASSERT_EQ(scan.steps(), 2u);
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile, tile + 1, 9 * tile - 5}) {
    run_and_compare(scan, n, n + 1);
  }
}

// Calls that may overlap: the second step of one begins while the first step still runs, the next call likewise.
TEST_F(Steps, WaitForEachOtherWhereLaunchesOverlap) {
  const Plan scan = plan(true);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    runtime::HostSchedule schedule = test::hostile_schedule(seed);
    schedule.overlap = true;
    device_->set_schedule(schedule);
    const std::vector<Map> items = test::items_of<Map>(problem_, 7 * tile + seed, seed);
    std::array<std::vector<Map>, 3> results;
    for (std::vector<Map>& each : results) each.resize(items.size());
    const Map initial{5, 7};
    for (std::vector<Map>& each : results) {
      scan.run(items.data(), each.data(), items.size(), Map::scalar(initial));
    }
    device_->synchronize(nullptr);
    for (const std::vector<Map>& each : results) expect_scanned(items, initial, each);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST_F(Steps, ReadTheirScalarsFromMemory) {
  const Plan scan = plan();
  const std::vector<Map> items = test::items_of<Map>(problem_, 3 * tile, 1);
  std::vector<Map> got(items.size());
  const Map initial{9, 2};
  const Arguments arguments = Arguments(items.size()).array("in", items.data()).array("out", got.data());
  scan.prepare(Arguments(arguments).scalar_in_memory("initial", nullptr));
  for (const Source& step : generate_steps(problem_, scan.config(), Target::host, {.scalars_in_memory = true})) {
    EXPECT_TRUE(engine_->kernels().holds(step.key));
  }
  scan.run(Arguments(arguments).scalar_in_memory("initial", &initial));
  device_->synchronize(nullptr);
  expect_scanned(items, initial, got);
}

// State and scratch are told apart by the size of the memory, not by that of a call: scratch of one call must not lie
// where another call has its state.
TEST_F(Steps, ShareAWorkspaceOfTheCaller) {
  const Plan scan = plan();
  const std::uint64_t most = 50 * tile, bytes = scan.workspace_bytes(most);
  constexpr std::size_t guard = 256;
  std::vector<std::byte> memory(bytes + guard + 128, std::byte{0x5a});
  auto* const begin = memory.data() + (128 - reinterpret_cast<std::uintptr_t>(memory.data()) % 128) % 128;
  const BorrowedWorkspace workspace = scan.borrow_workspace(begin, bytes);
  EXPECT_EQ(workspace.layout(), "tiles_of_the_test + scratch");
  const Scalar initial = Map::scalar({3, 4});
  for (const std::uint64_t n : {most, tile, 20 * tile, std::uint64_t{3}, most}) {
    const std::vector<Map> items = test::items_of<Map>(problem_, n, n);
    std::vector<Map> got(n);
    scan.run(items.data(), got.data(), n, initial, nullptr, workspace);
    device_->synchronize(nullptr);
    expect_scanned(items, {3, 4}, got);
  }
  EXPECT_TRUE(std::all_of(begin + bytes, begin + bytes + guard, [](std::byte at) { return at == std::byte{0x5a}; }));
  std::vector<Map> items(20 * most);
  EXPECT_THAT(test::message_of<UsageError>(
                  [&] { scan.run(items.data(), items.data(), items.size(), initial, nullptr, workspace); }),
              HasSubstr("call workspace_bytes() for the size"));
  EXPECT_THROW(scan.run(items.data(), items.data(), 1, initial, nullptr, BorrowedWorkspace()), UsageError);
}

TEST_F(Steps, AreExplained) {
  const Plan scan = plan();
  const std::string text = scan.explain();
  EXPECT_THAT(text, HasSubstr("step          1 of 2\nkernel        " + scan.source(0).key));
  EXPECT_THAT(text, HasSubstr("step          2 of 2\nkernel        " + scan.source(1).key));
  EXPECT_THAT(text, HasSubstr("launch        5 blocks of 32 threads for 320 items\n"));
  EXPECT_THAT(text, HasSubstr("workspace     256 bytes\n"));
  EXPECT_EQ(test::message_of<UsageError>([&] { (void)scan.source(2); }),
            "the plan has no step 2: it has 2, which are numbered from 0");
}

// Holds up the first launch until another thread launches too, or has had time to.
class HeldDevice final : public runtime::HostDevice {
 public:
  using HostDevice::HostDevice;
  void launch(const runtime::Kernel& kernel, const runtime::Launch& launch, void** arguments, Stream stream) override {
    {
      std::unique_lock lock(mutex_);
      callers_.push_back(std::this_thread::get_id());
      launched_.notify_all();
      const auto is_another = [&] { return callers_.back() != callers_.front(); };
      if (callers_.size() == 1) launched_.wait_for(lock, std::chrono::milliseconds(300), is_another);
    }
    HostDevice::launch(kernel, launch, arguments, stream);
  }
  // The threads of all launches, in their order.
  [[nodiscard]] const std::vector<std::thread::id>& callers() const { return callers_; }

 private:
  std::mutex mutex_;
  std::condition_variable launched_;
  std::vector<std::thread::id> callers_;
};

// The calls of a stream share its scratch: the steps of one call must not come between those of another.
TEST_F(Steps, OfTwoThreadsInOneStreamDoNotComeBetweenEachOther) {
  const auto device = std::make_shared<HeldDevice>();
  const auto engine = test::host_engine(device);
  const Plan scan = engine->plan(problem_, test::two_step_config(tile), nullptr);
  std::vector<std::byte> memory(scan.workspace_bytes(5 * tile) + 128);
  auto* const begin = memory.data() + (128 - reinterpret_cast<std::uintptr_t>(memory.data()) % 128) % 128;
  const BorrowedWorkspace borrowed = scan.borrow_workspace(begin, memory.size() - 128);
  const std::vector<Map> items = test::items_of<Map>(problem_, 5 * tile, 1);
  for (const BorrowedWorkspace* workspace : {static_cast<const BorrowedWorkspace*>(nullptr), &borrowed}) {
    std::array<std::vector<Map>, 2> results;
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < results.size(); ++i) {
      results[i].resize(items.size());
      threads.emplace_back([&, i] {
        const Scalar initial = Map::scalar({3, i});
        workspace == nullptr ? scan.run(items.data(), results[i].data(), items.size(), initial)
                             : scan.run(items.data(), results[i].data(), items.size(), initial, nullptr, *workspace);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::uint32_t i = 0; i < results.size(); ++i) expect_scanned(items, {3, i}, results[i]);
  }
  ASSERT_EQ(device->callers().size(), 8u);
  for (std::size_t call = 0; call < 4; ++call) {
    EXPECT_EQ(device->callers()[2 * call], device->callers()[2 * call + 1]) << "call " << call;
  }
}

}  // namespace
}  // namespace upsweep
