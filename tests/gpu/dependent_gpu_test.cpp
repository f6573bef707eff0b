// Kernels that may be started before the kernel before them has ended still see all that it wrote. Chains of kernels in
// which every round's input is made of the round before: one stale item anywhere changes the end.
#include <cstring>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"

namespace upsweep {
namespace {

using test::ScopedStream;
using Items = std::vector<std::uint32_t>;

constexpr int rounds_of_a_lap = 10;
constexpr int laps = 100;

// The user's own kernel between upsweep's: plain, reads what they wrote and writes what they read.
constexpr const char* mix_source = R"(
extern "C" __global__ void mix(unsigned* next, const unsigned* doubles, const unsigned* sums, const unsigned* total,
                               unsigned round, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned word = (doubles[i] ^ sums[i]) + *total + round;
  next[i] = (word ^ word >> 15) * 0x2c1b3c6du;
}
)";

std::uint32_t mixed(std::uint32_t doubles, std::uint32_t sums, std::uint32_t total, std::uint32_t round) {
  const std::uint32_t word = (doubles ^ sums) + total + round;
  return (word ^ word >> 15) * 0x2c1b3c6du;
}

std::uint8_t fill_byte(int round) {
  return static_cast<std::uint8_t>(1 + 17 * round);
}

// The same on the host: the sums and the total after all laps.
struct Expected {
  Items sums;
  std::uint32_t total = 0;
};

Expected expected(std::uint64_t n) {
  Expected state{Items(n, 0), 0};
  Items doubles(n);
  for (int turn = 0; turn < laps * rounds_of_a_lap; ++turn) {
    const int round = turn % rounds_of_a_lap;
    std::uint32_t once = 0, twice = 0, before = 0, sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      once += 0x01010101u * fill_byte(round);
      twice += once;
      const std::uint32_t next = mixed(twice, state.sums[i], state.total, static_cast<std::uint32_t>(round));
      state.sums[i] = before;
      sum += before;
      before += next;
    }
    state.total = sum;
  }
  return state;
}

class Chain {
 public:
  Chain(bool dependent_launch, Stream stream, std::uint64_t n)
      : engine_(runtime::Engine::open(
            {.device = test::gpu_device(), .database = "none", .dependent_launch = dependent_launch})),
        device_(engine_->device()),
        stream_(stream),
        n_(n),
        scan_(plan(Algorithm::inclusive_scan, "lookback")),
        scan_in_place_(plan(Algorithm::inclusive_scan, "chained")),
        scan_mixed_(plan(Algorithm::exclusive_scan, "lookback")),
        reduce_(plan(Algorithm::reduce, nullptr)),
        filled_(device_, 4 * n),
        doubles_(device_, 4 * n),
        next_(device_, 4 * n),
        sums_(device_, 4 * n),
        total_(device_, 4) {
    const runtime::Compiled compiled =
        engine_->compiler().compile({.text = mix_source, .entry = "mix", .key = "mix", .launch = {}, .workspace = {}},
                                    architecture_of(device_.identity()));
    mix_ = device_.load(compiled.binary, "mix", {.threads_per_block = threads});
    device_.fill(sums_.data(), 0, sums_.bytes(), stream_);
    device_.fill(total_.data(), 0, total_.bytes(), stream_);
    for (const Plan* each : {&scan_, &scan_in_place_, &scan_mixed_, &reduce_}) each->prepare(n, stream_);
  }

  void run_round(int round) {
    device_.fill(filled_.data(), fill_byte(round), filled_.bytes(), stream_);
    scan_.run(filled_.data(), doubles_.data(), n_, stream_);
    scan_in_place_.run(doubles_.data(), doubles_.data(), n_, stream_);
    run_mix(static_cast<std::uint32_t>(round));
    scan_mixed_.run(next_.data(), sums_.data(), n_, stream_);
    reduce_.run(sums_.data(), total_.data(), n_, stream_);
  }

  void expect_right() {
    Items sums(n_);
    std::uint32_t total = 0;
    device_.copy_to_host(sums.data(), sums_.data(), sums_.bytes(), stream_);
    device_.copy_to_host(&total, total_.data(), 4, stream_);
    const Expected right = expected(n_);
    EXPECT_EQ(total, right.total);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < n_; ++i) wrong += sums[i] != right.sums[i] ? 1 : 0;
    EXPECT_EQ(wrong, 0u) << "of " << n_ << " items";
  }

 private:
  static constexpr int threads = 256;

  // With the named schedule, or the default one; dependent where the device can.
  Plan plan(Algorithm algorithm, const char* schedule) {
    const Problem problem = make_problem(algorithm, Operator::plus, Type::u32, Type::u32, n_);
    const Space space(problem, device_.limits());
    Config config = schedule == nullptr ? space.default_config() : space.complete({schedule, {}});
    const bool can = device_.limits().compute_capability >= 90;
    config.values["dependent_launch"] = can ? "yes" : "no";
    Plan made = engine_->plan(problem, config, stream_);
    EXPECT_EQ(made.source().launch.dependent, can);
    return made;
  }

  void run_mix(std::uint32_t round) {
    void *next = next_.data(), *doubles = doubles_.data(), *sums = sums_.data(), *total = total_.data();
    auto n = static_cast<std::uint32_t>(n_);
    void* arguments[] = {&next, &doubles, &sums, &total, &round, &n};
    device_.launch(*mix_, {.blocks = (n_ + threads - 1) / threads, .threads_per_block = threads}, arguments, stream_);
  }

  std::shared_ptr<runtime::Engine> engine_;
  runtime::Device& device_;
  Stream stream_;
  std::uint64_t n_;
  Plan scan_, scan_in_place_, scan_mixed_, reduce_;
  runtime::Buffer filled_, doubles_, next_, sums_, total_;
  std::unique_ptr<runtime::Kernel> mix_;
};

// One tile and less, where a kernel is shorter than the way to the next; and many tiles.
constexpr std::uint64_t sizes[] = {100, 3000, 150'001};

class GpuDependent : public testing::TestWithParam<bool> {
 protected:
  static void run_back_to_back(Stream stream) {
    for (const std::uint64_t n : sizes) {
      Chain chain(GetParam(), stream, n);
      for (int turn = 0; turn < laps * rounds_of_a_lap; ++turn) chain.run_round(turn % rounds_of_a_lap);
      chain.expect_right();
    }
  }
};

INSTANTIATE_TEST_SUITE_P(DependentLaunch, GpuDependent, testing::Bool(),
                         [](const auto& launch) { return launch.param ? "allowed" : "not_allowed"; });

TEST_P(GpuDependent, SeesWhatTheKernelBeforeWrote) {
  const ScopedStream stream(test::gpu_engine()->device());
  run_back_to_back(stream.get());
}

TEST_P(GpuDependent, SeesItOnTheLegacyStream) {
  run_back_to_back(nullptr);
}

TEST_P(GpuDependent, SeesItOnThePerThreadStream) {
  run_back_to_back(CU_STREAM_PER_THREAD);
}

TEST_P(GpuDependent, SeesItInAGraphThatIsReplayed) {
  const test::ScopedPrimaryContext context;
  for (const std::uint64_t n : sizes) {
    const ScopedStream stream(test::gpu_engine()->device());
    Chain chain(GetParam(), stream.get(), n);
    const test::Executable executable(stream.get(), [&] {
      for (int round = 0; round < rounds_of_a_lap; ++round) chain.run_round(round);
    });
    for (int lap = 0; lap < laps; ++lap) ASSERT_NO_FATAL_FAILURE(executable.launch(stream.get()));
    chain.expect_right();
  }
}

}  // namespace
}  // namespace upsweep
