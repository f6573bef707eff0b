// Streams that have a part of the device, on the host device: plans and grids of their own, and right results.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"

namespace upsweep {
namespace {

// Streams have as many multiprocessors as they were given, and all of the device's otherwise.
class PartedHost final : public runtime::HostDevice {
 public:
  [[nodiscard]] int multiprocessors_of(Stream stream) const override {
    const auto at = parts.find(stream.handle());
    return at == parts.end() ? limits().multiprocessors : at->second;
  }
  void launch(const runtime::Kernel& kernel, const runtime::Launch& launch, void** arguments, Stream stream) override {
    blocks = launch.blocks;
    HostDevice::launch(kernel, launch, arguments, stream);
  }
  std::map<const CUstream_st*, int> parts;
  std::uint64_t blocks = 0;  // of the last launch
};

class StreamParts : public testing::Test {
 protected:
  StreamParts() { device_->parts[part_.handle()] = 1; }
  ~StreamParts() override { device_->destroy_stream(part_); }

  std::shared_ptr<PartedHost> device_ = std::make_shared<PartedHost>();
  std::shared_ptr<runtime::Engine> engine_ = test::host_engine(device_);
  const Stream part_ = device_->create_stream();
};

// Both plans share the workspaces of a stream, and their tiles are dealt to other numbers of blocks.
TEST_F(StreamParts, HaveGridsOfTheirOwnAndRightResults) {
  const Problem scan = make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32, 1 << 20);
  const Problem reduce = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32, 1 << 20);
  const Config strided{"lookahead", {{"order", std::string("strided")}, {"worker_warps", std::int64_t{2}}}};
  const std::vector<std::pair<Problem, Config>> cases{{scan, strided}, {reduce, Config{"last_block", {}}}};
  for (const auto& [problem, partial] : cases) {
    SCOPED_TRACE(to_string(problem));
    const Config config = Space(problem, device_->limits()).complete(partial);
    const Plan whole = engine_->plan(problem, config, nullptr), part = engine_->plan(problem, config, part_);
    const LaunchRule& launch = whole.source().launch;
    const auto each = static_cast<std::uint64_t>(launch.blocks_per_multiprocessor);
    const std::uint64_t n = 5 * 4 * each * launch.items_per_tile + 3;
    const auto expect = [&](const Plan& plan, Stream stream, std::uint64_t blocks) {
      EXPECT_EQ(test::run_and_compare(*device_, plan, n, test::Data::random, 1, {}, stream), std::nullopt);
      EXPECT_EQ(device_->blocks, blocks);
    };
    for (int round = 0; round < 2; ++round) {
      expect(whole, nullptr, 4 * each);
      expect(part, part_, each);
      expect(part, nullptr, each);
      expect(whole, part_, launch.cooperative ? each : 4 * each);
    }
  }
}

// The multiprocessors of a part lie too far apart for it.
TEST_F(StreamParts, HaveNoLargeClusters) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1 << 12);
  const Config large{"cluster", {{"cluster_blocks", std::int64_t{16}}}};
  EXPECT_NO_THROW((void)engine_->plan(problem, large, nullptr));
  try {
    (void)engine_->plan(problem, large, part_);
    ADD_FAILURE() << "a part has a cluster of 16 blocks";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("blocks per cluster: the config needs 16, but the device has 8"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(StreamParts, HaveReproducibleResults) {
  runtime::Engine::Parts parts;
  parts.device = device_;
  parts.compiler = std::make_shared<runtime::HostCompiler>(runtime::HostCompiler::Accesses::unwatched);
  parts.cache = {.directory = {}, .max_bytes = 0, .enabled = false};
  parts.reproducible = true;
  runtime::Engine engine(std::move(parts));
  const std::uint64_t n = 1 << 18;
  const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32, n);
  std::vector<float> in(n), out(n), first;
  for (std::uint64_t i = 0; i < n; ++i) in[i] = 1.0f / static_cast<float>(1 + i * 7919 % 10007);
  for (int round = 0; round < 3; ++round) {
    const Plan plan = engine.plan(problem, part_);
    EXPECT_TRUE(plan.reproducible());
    EXPECT_EQ(plan.state().multiprocessors, 1);
    plan.run(in.data(), out.data(), n, part_);
    if (round == 0) first = out;
    EXPECT_EQ(out, first);
  }
}

}  // namespace
}  // namespace upsweep
