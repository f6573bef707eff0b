// Index arithmetic beyond 2^32 items without touching as many: memory is reserved but only the last tiles are used, and
// the workspace is set as if all tiles before had run.
#include <sys/mman.h>

#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "runtime/argument_bytes.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"

namespace upsweep {
namespace {

// Address space of which only the touched pages take memory.
class Reserved {
 public:
  explicit Reserved(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Reserved() {
    if (data_ != MAP_FAILED) munmap(data_, bytes_);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
  [[nodiscard]] bool valid() const { return data_ != MAP_FAILED; }

 private:
  std::size_t bytes_;
  void* data_;
};

constexpr std::uint64_t last = 3;  // tiles that run, a block each
constexpr std::uint32_t epoch = 1;
enum Status : std::uint32_t { aggregate = 1, inclusive_prefix = 2 };

// Header: draws and epoch, most tiles of any launch, descriptor that is looked at next; then a descriptor a tile.
void set_draws(std::byte* workspace, std::uint64_t draws) {
  const std::uint32_t header[4] = {static_cast<std::uint32_t>(draws), epoch, static_cast<std::uint32_t>(draws), 0};
  std::memcpy(workspace, header, sizeof header);
}

void set_published(std::byte* workspace, std::uint64_t tile, Status status, std::uint32_t value) {
  const std::uint64_t descriptor = std::uint64_t{epoch * 4 + status} << 32 | value;
  std::memcpy(workspace + WorkspaceRule::header_bytes + tile * 8, &descriptor, 8);
}

// Runs the last tiles of 2^32 items and some, in place. `publish` writes what the tiles before them have left, and
// returns the fold of all these.
void expect_last_tiles(const Problem& problem, const Config& partial,
                       const std::function<std::uint32_t(std::byte* workspace, std::uint64_t tiles_before)>& publish) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Plan plan = engine->plan(problem, Space(problem, device->limits()).complete(partial), nullptr);
  const LaunchRule& rule = plan.source().launch;
  const std::uint64_t tile = rule.items_per_tile, size = size_of(problem.input);
  const std::uint64_t n = (std::uint64_t{1} << 32) + 3 * tile + 77, tiles = n / tile + 1, first = (tiles - last) * tile;

  const Reserved memory(n * size), workspace(plan.workspace_bytes(n));
  ASSERT_TRUE(memory.valid() && workspace.valid());
  auto items = test::make_data(problem, n - first, test::Data::random, 5);
  std::memcpy(memory.data() + first * size, items.data(), items.size());
  set_draws(workspace.data(), tiles - last);
  const std::uint32_t prefix = publish(workspace.data(), tiles - last);

  const std::uint64_t initial = 0;
  runtime::ArgumentBytes bytes(plan.source().arguments,
                               {.arrays = {memory.data(), memory.data()}, .n = n, .scalars = {&initial}},
                               workspace.data());
  void* arguments[] = {bytes.data()};
  const runtime::Binary binary = engine->compiler().compile(plan.source(), "host").binary;
  const auto kernel = device->load(binary, plan.source().entry, rule);
  runtime::Launch launch = runtime::launch_of(rule, false);
  launch.blocks = tiles;
  runtime::HostSchedule schedule;
  schedule.ended_blocks = static_cast<std::uint32_t>(tiles - last);
  device->set_schedule(schedule);
  device->launch(*kernel, launch, arguments, nullptr);

  std::uint32_t front = 0;  // as if the scan began with the prefix
  std::memcpy(&front, items.data(), size);
  front += prefix;
  std::memcpy(items.data(), &front, size);
  const auto wanted = test::expected(problem, items, n - first, identity(problem.op, problem.accumulator));
  EXPECT_EQ(test::difference(problem.output, wanted, {memory.data() + first * size, items.size()}), std::nullopt);
}

class LargeIndex : public testing::TestWithParam<const char*> {};

TEST_P(LargeIndex, LastTilesBeyond32Bits) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  expect_last_tiles(problem, {"lookback", {{"load", GetParam()}, {"store", GetParam()}}},
                    [](std::byte* workspace, std::uint64_t tiles_before) {
                      set_published(workspace, tiles_before - 1, inclusive_prefix, 1000);
                      return 1000u;
                    });
}

INSTANTIATE_TEST_SUITE_P(Loads, LargeIndex,
                         testing::Values("direct", "vectorized", "block_transpose", "warp_transpose"),
                         [](const auto& parameter) { return std::string(parameter.param); });

// Tiles of bytes as large as they get, because look-ahead folds the totals of all of them.
TEST(LargeIndexAhead, LastTilesBeyond32Bits) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::u8, Type::u8);
  for (const auto& [fill, emit] : {std::pair{"bulk", "bulk"}, {"async", "vectorized"}}) {
    expect_last_tiles(problem,
                      {"lookahead",
                       {{"worker_warps", 28},
                        {"vectors_per_thread", 7},
                        {"stages", 2},
                        {"reduce_ahead", 0},
                        {"fill", fill},
                        {"emit", emit}}},
                      [](std::byte* workspace, std::uint64_t tiles_before) {
                        std::uint32_t sum = 0;
                        for (std::uint64_t tile = 0; tile < tiles_before; ++tile) {
                          const auto total = static_cast<std::uint32_t>(1 + tile % 7);
                          set_published(workspace, tile, aggregate, total);
                          sum += total;
                        }
                        return sum;
                      });
  }
}

}  // namespace
}  // namespace upsweep
