// Small kernels written by hand, assembled as the generator does: types, target file, kernel, entry.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/host/host_compiler.hpp"
#include "runtime/host/host_device.hpp"

namespace upsweep::runtime::testing {

// The text has definitions, such as Workspace, and `KERNEL { statements }`. The statements have the arguments `in`,
// `out`, `n`, `initial` and `workspace`. Input, output and initial value are of u32.
[[nodiscard]] Source host_source(const std::string& text);

// A kernel, its memory, and a device to run it on. The workspace is of u32.
class Bench {
 public:
  explicit Bench(const std::string& text, std::shared_ptr<HostDevice> on = std::make_shared<HostDevice>(),
                 HostCompiler::Accesses accesses = HostCompiler::Accesses::unwatched);

  std::vector<std::uint32_t> in, out, workspace;
  std::uint32_t initial = 0;

  void run(const Launch& launch);
  [[nodiscard]] HostDevice& device() { return *device_; }

 private:
  std::shared_ptr<HostDevice> device_;
  std::unique_ptr<Kernel> kernel_;
};

// What a launch throws, empty if it does not.
[[nodiscard]] std::string error_of(Bench& bench, const Launch& launch);

// 0: the tame schedule; else a hostile one of this seed.
[[nodiscard]] HostSchedule schedule_of(std::uint64_t seed);

using Seeds = std::vector<std::uint64_t>;
// Those of the seeds 0, 1, ... in whose schedules `right`, which gets the seed, is false.
[[nodiscard]] Seeds wrong_seeds(Bench& bench, std::uint64_t seeds,
                                const std::function<bool(std::uint64_t seed)>& right);

// A kernel of two blocks of two warps. Thread 0 makes `barrier`; then all run `before`, a block barrier and the text.
struct Statements {
  std::string text;
  std::string arrivals = "1";  // of the barrier
  std::string before{};        // the first block barrier
  int shared_bytes = 384;
  int cluster_blocks = 1;
  HostCompiler::Accesses accesses = HostCompiler::Accesses::unwatched;
};
// What a launch of it throws, empty if it does not.
[[nodiscard]] std::string error_of_statements(const Statements& statements, std::uint64_t seed);

}  // namespace upsweep::runtime::testing
