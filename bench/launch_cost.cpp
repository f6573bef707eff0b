#include "bench/launch_cost.hpp"

#include <upsweep/error.hpp>

#include "bench/contestants.hpp"
#include "runtime/argument_bytes.hpp"
#include "runtime/cuda/driver.hpp"

namespace upsweep::bench {
namespace {

// Some context of the device is current while it lives, as in a program that uses the CUDA runtime: the one that is,
// else the primary one. So chooses the device too.
class CurrentContext {
 public:
  CurrentContext(const runtime::Driver& driver, const std::string& label) : driver_(driver) {
    CUcontext current = nullptr;
    driver_.check(driver_.cuCtxGetCurrent(&current), "reading the current CUDA context");
    if (current != nullptr) return;
    const int ordinal = std::stoi(label.substr(label.find(':') + 1));  // "cuda:1", "cuda:1/16"
    driver_.check(driver_.cuDeviceGet(&device_, ordinal), "opening " + label);
    CUcontext primary = nullptr;
    driver_.check(driver_.cuDevicePrimaryCtxRetain(&primary, device_), "taking the primary context of " + label);
    const CUresult pushed = driver_.cuCtxPushCurrent_v2(primary);
    if (pushed != CUDA_SUCCESS) driver_.cuDevicePrimaryCtxRelease_v2(device_);
    driver_.check(pushed, "making the CUDA context current");
    pushed_ = true;
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext() {
    CUcontext ours = nullptr;
    if (!pushed_) return;
    driver_.cuCtxPopCurrent_v2(&ours);
    driver_.cuDevicePrimaryCtxRelease_v2(device_);
  }

 private:
  const runtime::Driver& driver_;
  CUdevice device_ = 0;
  bool pushed_ = false;
};

// The empty kernel, launched by the driver and nothing else; in the current context.
class BareKernel {
 public:
  BareKernel(const runtime::Driver& driver, const runtime::Binary& binary, const Source& source)
      : driver_(driver), arguments_(source.arguments) {
    driver_.check(driver_.cuModuleLoadData(&module_, binary.data()), "loading the empty kernel");
    const CUresult found = driver_.cuModuleGetFunction(&function_, module_, source.entry.c_str());
    if (found != CUDA_SUCCESS) driver_.cuModuleUnload(module_);
    driver_.check(found, "looking the empty kernel up");
  }
  BareKernel(const BareKernel&) = delete;
  BareKernel& operator=(const BareKernel&) = delete;
  ~BareKernel() { driver_.cuModuleUnload(module_); }

  void launch(const void* in, void* out, std::uint64_t n, Stream stream) const {
    const std::uint64_t initial = 0;
    runtime::ArgumentBytes values(arguments_, {.arrays = {in, out}, .n = n, .scalars = {&initial}}, nullptr);
    void* arguments[] = {values.data()};
    driver_.check(driver_.cuLaunchKernel(function_, 1, 1, 1, plain_threads_per_block, 1, 1, 0, stream.handle(),
                                         arguments, nullptr),
                  "launching the empty kernel");
  }

 private:
  const runtime::Driver& driver_;
  ArgumentsRule arguments_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

}  // namespace

std::vector<Row> launch_cost(runtime::Engine& engine, const Problem& problem, int samples) {
  if (engine.device().target() == Target::host) {
    throw UsageError("launch costs can only be measured on a GPU: use --device cuda");
  }
  const Stream stream = engine.device().default_stream();
  const Plan plan = engine.plan(problem, stream);
  plan.prepare(problem.size, stream);
  const Source empty = plain_source(Plain::empty, 1, Target::cuda);
  const runtime::Compiled compiled = engine.compiler().compile(empty, architecture_of(engine.device().identity()));
  const CurrentContext current(runtime::driver(), engine.device().label());
  const BareKernel bare(runtime::driver(), compiled.binary, empty);
  std::vector<tuner::TimedCall> calls{run_plan(plan, problem, {}), [&](const tuner::SlotArrays& arrays, Stream where) {
                                        bare.launch(arrays[0], const_cast<void*>(arrays[1]), problem.size, where);
                                      }};
  if (plan.state().has_in_and_out) {
    calls[0] = [&](const tuner::SlotArrays& arrays, Stream where) {
      plan.run(arrays[0], const_cast<void*>(arrays[1]), problem.size, where);
    };
  }

  tuner::Measurement measurement(engine.device(), stream, footprint(problem, {}));
  // Calls wait once about a thousand are queued; as few as these never do.
  const std::vector<std::vector<double>> times = measurement.time_in_turn(
      calls,
      {.samples = samples, .maximum_calls = 200, .caches = tuner::Caches::warm, .timing = tuner::Timing::enqueued});
  return {make_row(Who::upsweep, "Plan::run", 0, times[0]), make_row(Who::empty_kernel, "cuLaunchKernel", 0, times[1])};
}

}  // namespace upsweep::bench
