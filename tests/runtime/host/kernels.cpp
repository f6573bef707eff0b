#include "tests/runtime/host/kernels.hpp"

#include <regex>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/assemble.hpp"
#include "runtime/argument_bytes.hpp"

namespace upsweep::runtime::testing {

constexpr const char* parameters_text = R"(#include "target/cuda.cuh"
#include "target/cuda/floating.cuh"

using Input = u32;

using Output = u32;

using Accumulator = u32;

struct Workspace;

struct Arguments {
  const Input* in;
  Output* out;
  u64 n;
  Accumulator initial;
  Workspace* workspace;
};

#define PARAMETERS const Input *in, Output *out, u64 n, Accumulator initial, Workspace *workspace
#define KERNEL                                                                                           \
  __device__ void run_statements(PARAMETERS);                                                            \
  extern "C" __global__ void __launch_bounds__(1024)                                                     \
      upsweep_kernel(const __grid_constant__ Arguments arguments) {                                      \
    run_statements(arguments.in, arguments.out, arguments.n, arguments.initial, arguments.workspace);    \
  }                                                                                                      \
  __device__ void run_statements(PARAMETERS)
)";

Source host_source(const std::string& text) {
  Recipe recipe;
  recipe.kernel = "kernel/test.cuh";
  recipe.parameters = parameters_text;
  recipe.definitions = {{recipe.kernel, text}};
  Source source;
  // Without #line, so that errors have the place in the whole text.
  source.text = std::regex_replace(assemble(recipe, Target::host), std::regex("#line [^\n]*\n"), "");
  source.entry = "upsweep_kernel";
  source.key = "0123456789abcdef0123456789abcdef";
  return source;
}

Bench::Bench(const std::string& text, std::shared_ptr<HostDevice> on, HostCompiler::Accesses accesses)
    : device_(std::move(on)) {
  HostCompiler compiler(accesses);
  const Source source = host_source(text);
  kernel_ = device_->load(compiler.compile(source, "host").binary, source.entry, source.launch);
}

void Bench::run(const Launch& launch) {
  const std::uint32_t* from = in.data();
  std::uint32_t* to = out.data();
  static const ArgumentsRule rule = arguments_of(make_problem(Algorithm::reduce, plus, Type::u32, Type::u32));
  ArgumentBytes bytes(rule, {.arrays = {from, to}, .n = in.size(), .scalars = {&initial}}, workspace.data());
  void* arguments[] = {bytes.data()};
  device_->launch(*kernel_, launch, arguments, nullptr);
}

std::string error_of(Bench& bench, const Launch& launch) {
  try {
    bench.run(launch);
  } catch (const DeviceError& error) {
    return error.what();
  }
  return {};
}

HostSchedule schedule_of(std::uint64_t seed) {
  return seed == 0 ? HostSchedule{} : HostSchedule::hostile(seed);
}

Seeds wrong_seeds(Bench& bench, std::uint64_t seeds, const std::function<bool(std::uint64_t seed)>& right) {
  Seeds wrong;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    bench.device().set_schedule(schedule_of(seed));
    if (!right(seed)) wrong.push_back(seed);
  }
  return wrong;
}

std::string error_of_statements(const Statements& statements, std::uint64_t seed) {
  Bench bench(fmt::format(R"(
struct alignas(128) Shared {{ u32 words[64]; PhaseBarrier barrier; PhaseBarrier other; u8 bytes[64]; }};
struct Workspace {{ u32 word; }};
KERNEL {{
  Shared& shared = dynamic_shared<Shared>();
  PhaseBarrier* barrier = &shared.barrier;
  const int thread = thread_index();
  if (thread == 0) init_barrier(barrier, {});
  {}
  block_barrier();
  {}
}})",
                          statements.arrivals, statements.before, statements.text),
              std::make_shared<HostDevice>(), statements.accesses);
  bench.in.assign(1024, 0);
  bench.out.assign(1024, 0);
  bench.workspace.assign(4, 0);
  HostSchedule schedule = schedule_of(seed);
  schedule.poll_limit = 20'000;
  bench.device().set_schedule(schedule);
  return error_of(bench, {.blocks = 2,
                          .threads_per_block = 64,
                          .shared_bytes = statements.shared_bytes,
                          .cluster_blocks = statements.cluster_blocks});
}

}  // namespace upsweep::runtime::testing
