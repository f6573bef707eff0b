// What compute-sanitizer's racecheck reports in correct code, shown by the smallest raced_rings of stages that go from
// warp to warp with phase barriers (PTX: mbarrier). Where one lane arrives for its warp, after a warp barrier,
// racecheck takes the reads of the other lanes for unordered. scripts/gpu-suite runs each under racecheck and prints
// what it reports.
#include <cstdint>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gpu/gpu.hpp"

namespace upsweep {
namespace {

constexpr int stages = 3, worker_warps = 4, stage_items = 32 * worker_warps;

constexpr const char* phase_barriers = R"(
using u32 = unsigned;
using u64 = unsigned long long;
__device__ u32 at(const void* p) { return u32(__cvta_generic_to_shared(p)); }
__device__ void init(u64* b, u32 n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory");
}
__device__ void arrive(u64* b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ void wait(u64* b, u32 parity) {
  u32 ended;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(ended) : "r"(at(b)), "r"(parity) : "memory");
  } while (ended == 0);
}
)";

// FILL: 0 plain stores, 1 cp.async, 2 cp.async.bulk. EVERY_LANE: whether each reader arrives, or lane 0 for its warp
// after a warp barrier.
constexpr const char* ring_source = R"(
struct alignas(128) Stage { u32 item[stage_items]; };
extern "C" __global__ void ring(const u32* in, u32* out, u32 tiles) {
  __shared__ Stage stage[stages];
  __shared__ u64 full[stages], empty[stages];
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      init(&full[s], FILL == 2 ? 1 : 32);
      init(&empty[s], EVERY_LANE ? stage_items : worker_warps);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (u32 tile = 0; tile < tiles; ++tile) {
    const u32 s = tile % stages, parity = tile / stages % 2;
    u32* items = stage[s].item;
    if (warp == worker_warps) {
      if (tile >= stages) wait(&empty[s], parity ^ 1);
      const u32* from = in + u64(tile) * stage_items;
      if (FILL == 0) {
        for (int i = lane; i < stage_items; i += 32) items[i] = from[i];
        arrive(&full[s]);
      } else if (FILL == 1) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(items + 4 * lane)), "l"(from + 4 * lane) : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(&full[s])) : "memory");
      } else if (lane == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full[s])), "r"(4 * stage_items) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(items)),
                     "l"(from), "r"(4 * stage_items), "r"(at(&full[s])) : "memory");
      }
      __syncwarp();
    } else {
      wait(&full[s], parity);
      out[u64(tile) * stage_items + threadIdx.x] = items[threadIdx.x ^ 1] + 1;
      __syncwarp();
      if (EVERY_LANE || lane == 0) arrive(&empty[s]);
    }
  }
}
)";

std::string constant(const std::string& name, int value) {
  return "constexpr int " + name + " = " + std::to_string(value) + ";\n";
}

struct Ring {
  const char* fill;
  int fill_number;
  bool every_lane;
  std::uint32_t rounds;  // how often each stage is filled

  [[nodiscard]] std::string name() const {
    return std::string(fill) + (every_lane ? "_every_lane" : "_lane_zero") + (rounds > 1 ? "_refilled" : "_once");
  }
};

void PrintTo(const Ring& ring, std::ostream* to) {
  *to << ring.name();
}

class RacecheckRing : public testing::TestWithParam<Ring> {};

TEST_P(RacecheckRing, IsRight) {
  const Ring& ring = GetParam();
  const std::string text = constant("stages", stages) + constant("worker_warps", worker_warps) +
                           constant("stage_items", stage_items) + constant("FILL", ring.fill_number) +
                           constant("EVERY_LANE", ring.every_lane ? 1 : 0) + phase_barriers + ring_source;
  const int threads = stage_items + 32;
  std::uint32_t tiles = stages * ring.rounds;
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  const runtime::Compiled compiled =
      engine->compiler().compile({.text = text, .entry = "ring", .key = "ring", .launch = {}, .workspace = {}},
                                 architecture_of(device.identity()));
  const auto kernel = device.load(compiled.binary, "ring", {.threads_per_block = threads});
  std::vector<std::uint32_t> items(std::size_t{tiles} * static_cast<std::size_t>(stage_items));
  std::iota(items.begin(), items.end(), 1u);
  const std::size_t bytes = items.size() * sizeof(items[0]);
  runtime::Buffer in(device, bytes), out(device, bytes);
  const test::ScopedStream stream(device);
  device.copy_to_device(in.data(), items.data(), bytes, stream.get());
  void *from = in.data(), *to = out.data();
  void* arguments[] = {&from, &to, &tiles};
  device.launch(*kernel, {.blocks = 1, .threads_per_block = threads}, arguments, stream.get());
  std::vector<std::uint32_t> got(items.size());
  device.copy_to_host(got.data(), out.data(), bytes, stream.get());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], items[i ^ 1] + 1) << "item " << i;
}

std::vector<Ring> raced_rings() {
  std::vector<Ring> all;
  int number = 0;
  for (const char* fill : {"stores", "async", "bulk"}) {
    for (const bool every_lane : {false, true}) {
      for (const std::uint32_t rounds : {1u, 3u}) all.push_back({fill, number, every_lane, rounds});
    }
    ++number;
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, RacecheckRing, testing::ValuesIn(raced_rings()),
                         [](const auto& parameter) { return parameter.param.name(); });

}  // namespace
}  // namespace upsweep
