// Index arithmetic beyond 2^32 items without touching as many: memory is reserved but only the last tiles are used, and
// the workspace is set as if all tiles before had run.
#include <sys/mman.h>

#include <cstring>

#include <gtest/gtest.h>

#include "generator/space.hpp"
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

class LargeIndex : public testing::TestWithParam<const char*> {};

TEST_P(LargeIndex, LastTilesBeyond32Bits) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  Config config =
      Space(problem, device->limits()).complete({"lookback", {{"load", GetParam()}, {"store", GetParam()}}});
  const Plan plan = engine->plan(problem, config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  const std::uint64_t n = (std::uint64_t{1} << 32) + 3 * tile + 77, tiles = n / tile + 1, last = 3;

  const Reserved memory(n * 4), workspace(plan.workspace_bytes(n));
  ASSERT_TRUE(memory.valid() && workspace.valid());
  const std::uint64_t first = (tiles - last) * tile;
  const auto items = test::make_data(problem, n - first, test::Data::random, 5);
  std::memcpy(memory.data() + first * 4, items.data(), items.size());

  // The tile before the last ones has published an inclusive prefix of 1000 in the second epoch, number 1. Header:
  // draws and epoch, most tiles of any launch, descriptor that is looked at next.
  const std::uint32_t header[4] = {static_cast<std::uint32_t>(tiles - last), 1,
                                   static_cast<std::uint32_t>(tiles - last), 0};
  std::memcpy(workspace.data(), header, sizeof header);
  const std::uint64_t published = (std::uint64_t{1 * 4 + 2} << 32) | 1000;
  std::memcpy(workspace.data() + WorkspaceRule::header_bytes + (tiles - last - 1) * 8, &published, 8);

  const void* in = memory.data();
  void* out = memory.data();
  std::uint64_t count = n;
  std::int32_t initial = 0;
  void* state = workspace.data();
  void* arguments[] = {&in, &out, &count, &initial, &state};
  const runtime::Binary binary = engine->compiler().compile(plan.source(), "host").binary;
  const auto kernel = device->load(binary, plan.source().entry, plan.source().launch);
  device->launch(*kernel, {.blocks = last, .threads_per_block = plan.source().launch.threads_per_block}, arguments,
                 nullptr);

  Problem continued = problem;
  continued.algorithm = Algorithm::inclusive_scan;
  auto shifted = items;  // as if the scan began with the prefix
  std::int32_t front = 0;
  std::memcpy(&front, shifted.data(), 4);
  front = static_cast<std::int32_t>(static_cast<std::uint32_t>(front) + 1000u);
  std::memcpy(shifted.data(), &front, 4);
  const auto wanted = test::expected(continued, shifted, n - first, identity(Operator::plus, Type::i32));
  EXPECT_EQ(test::difference(Type::i32, wanted, {memory.data() + first * 4, items.size()}), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Loads, LargeIndex,
                         testing::Values("direct", "vectorized", "block_transpose", "warp_transpose"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace upsweep
