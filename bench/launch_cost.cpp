#include "bench/launch_cost.hpp"

#include <upsweep/error.hpp>

#include "runtime/cuda/driver.hpp"

namespace upsweep::bench {
namespace {

// An empty kernel in the CUDA context that the engine's device runs in, which stays current meanwhile: so it is in a
// program that uses the CUDA runtime.
class BareKernel {
 public:
  explicit BareKernel(runtime::Engine& engine) : driver_(runtime::driver()) {
    const Source source = plain_source(Plain::empty, 1, Target::cuda);
    const runtime::Compiled compiled = engine.compiler().compile(source, architecture_of(engine.device().identity()));
    make_current(engine.device().label());
    driver_.check(driver_.cuModuleLoadData(&module_, compiled.binary.data()), "loading the empty kernel");
    driver_.check(driver_.cuModuleGetFunction(&function_, module_, source.entry.c_str()),
                  "looking the empty kernel up");
  }
  BareKernel(const BareKernel&) = delete;
  BareKernel& operator=(const BareKernel&) = delete;
  ~BareKernel() {
    if (module_ != nullptr) driver_.cuModuleUnload(module_);
    CUcontext ours = nullptr;
    if (pushed_) {
      driver_.cuCtxPopCurrent_v2(&ours);
      driver_.cuDevicePrimaryCtxRelease_v2(device_);
    }
  }

  void launch(const void* in, void* out, std::uint64_t n, Stream stream) const {
    std::uint64_t initial = 0;
    void* workspace = nullptr;
    void* arguments[] = {&in, &out, &n, &initial, &workspace};
    driver_.check(driver_.cuLaunchKernel(function_, 1, 1, 1, plain_threads_per_block, 1, 1, 0,
                                         static_cast<CUstream>(stream), arguments, nullptr),
                  "launching the empty kernel");
  }

 private:
  // The device takes the context that is current, if it is its own, else its primary one; so does this.
  void make_current(const std::string& label) {
    CUcontext current = nullptr;
    driver_.check(driver_.cuCtxGetCurrent(&current), "reading the current CUDA context");
    if (current != nullptr) return;
    const int ordinal = std::stoi(label.substr(label.find(':') + 1));  // "cuda:1"
    driver_.check(driver_.cuDeviceGet(&device_, ordinal), "opening " + label);
    CUcontext primary = nullptr;
    driver_.check(driver_.cuDevicePrimaryCtxRetain(&primary, device_), "taking the primary context of " + label);
    driver_.check(driver_.cuCtxPushCurrent_v2(primary), "making the CUDA context current");
    pushed_ = true;
  }

  const runtime::Driver& driver_;
  CUdevice device_ = 0;
  bool pushed_ = false;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

}  // namespace

std::vector<Row> launch_cost(runtime::Engine& engine, const Problem& problem, int samples) {
  if (engine.device().target() == Target::host) {
    throw UsageError("the host device launches nothing: measure the cost of launches on a GPU (--device cuda)");
  }
  const Plan plan = engine.plan(problem, nullptr);
  plan.prepare(problem.size, nullptr);
  const BareKernel bare(engine);
  const std::vector<tuner::Measurement::Call> calls{
      [&](const void* in, void* out, Stream stream) { plan.run(in, out, problem.size, stream); },
      [&](const void* in, void* out, Stream stream) { bare.launch(in, out, problem.size, stream); }};

  const Footprint call = footprint(problem, {});
  tuner::Measurement measurement(engine.device(), nullptr, call.input, call.output, {});
  // Calls wait once about a thousand are queued; as few as these never do.
  const std::vector<std::vector<double>> times = measurement.time_in_turn(
      calls,
      {.samples = samples, .maximum_calls = 200, .caches = tuner::Caches::warm, .timing = tuner::Timing::enqueued});
  return {make_row(Who::upsweep, "Plan::run", 0, times[0]), make_row(Who::empty_kernel, "cuLaunchKernel", 0, times[1])};
}

}  // namespace upsweep::bench
