#include "tuner/verify/sequential_kernel.hpp"

#include "generator/space.hpp"

namespace upsweep::tuner {

SequentialKernel::SequentialKernel(runtime::Engine& engine, const Problem& problem, runtime::Stream stream)
    : engine_(engine), problem_(problem), stream_(stream) {}

// The plan in `loaded_` keeps the kernel loaded, even if the kernel is also a candidate and the engine drops it.
Candidate& SequentialKernel::loaded() {
  if (loaded_) return *loaded_;
  runtime::Device& device = engine_.device();
  const Config config = Space(problem_, device.limits()).complete({.schedule = "sequential", .values = {}});
  const std::string key = generate(problem_, config, device.target()).key;  // the schedule has one step
  const bool was_held = engine_.kernels().holds(key);
  loaded_.emplace(device, engine_.plan(problem_, config, stream_), stream_);
  if (!was_held) engine_.kernels().drop(key);
  return *loaded_;
}

RunKernel SequentialKernel::calls() {
  return [this](const runtime::CallValues& values, runtime::Stream) {
    Candidate& kernel = loaded();
    (void)kernel.reserve(values.n);
    kernel.run(values);
  };
}

}  // namespace upsweep::tuner
