#include <upsweep/context.hpp>

#include <cstdint>
#include <cstring>

#include "runtime/engine.hpp"

namespace upsweep {
namespace {

// The problem for calls with misaligned arrays, which may have another plan.
Problem misaligned(Problem problem) {
  const void* const address = reinterpret_cast<const void*>(std::uintptr_t{1});
  problem.size = runtime::planned_size(problem, address, address);
  return problem;
}

}  // namespace

Context::Context(const ContextOptions& options) : engine_(runtime::Engine::open(options)) {}

Plan Context::plan(const Problem& problem, Stream stream) {
  return engine_->plan(problem, stream);
}

Plan Context::plan(const Problem& problem, const Config& config, Stream stream) {
  return engine_->plan(problem, config, stream);
}

void Context::prepare(const Problem& problem, Stream stream) {
  plan(problem, stream).prepare(problem.size, stream);
  const Problem other = misaligned(problem);
  if (other.size != problem.size) plan(other, stream).prepare(problem.size, stream);
}

void Context::prepare(const Problem& problem, const Arguments& arguments, Stream stream) {
  plan(problem, stream).prepare(arguments, stream);
  const Problem other = misaligned(problem);
  if (other.size != problem.size) plan(other, stream).prepare(arguments, stream);
}

void Context::release(Stream stream) {
  engine_->workspaces().release(stream);
}

void Context::refresh() {
  engine_->refresh();
}

std::string Context::device() const {
  return engine_->device().label();
}
const DeviceIdentity& Context::device_identity() const {
  return engine_->device().identity();
}
const DeviceLimits& Context::device_limits() const {
  return engine_->device().limits();
}

void Context::run(const Problem& problem, const void* in, void* out, std::uint64_t n, const void* initial,
                  Stream stream) {
  Problem sized = problem;
  sized.size = runtime::planned_size(problem, in, out);
  const Plan planned = plan(sized, stream);
  if (initial == nullptr) return planned.run(in, out, n, stream);
  Scalar start;
  start.type = problem.accumulator;
  std::memcpy(start.bytes.data(), initial, size_of(problem.accumulator));
  planned.run(in, out, n, start, stream);
}

void Context::run_from_memory(const Problem& problem, const void* in, void* out, std::uint64_t n, const void* initial,
                              Stream stream) {
  Problem sized = problem;
  sized.size = runtime::planned_size(problem, in, out);
  plan(sized, stream).run_from_memory(in, out, n, initial, stream);
}

}  // namespace upsweep
