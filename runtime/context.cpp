#include <upsweep/context.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/argument_bytes.hpp"
#include "runtime/call_arguments.hpp"
#include "runtime/engine.hpp"

namespace upsweep {
namespace {

// The problem for calls with misaligned arrays, which may have another plan.
Problem misaligned(Problem problem) {
  const void* const address = reinterpret_cast<const void*>(std::uintptr_t{1});
  problem.size = runtime::planned_size(problem, address, address);
  return problem;
}

// A multiple of 16 if all addresses are.
const void* common_address(std::span<const void* const> arrays) {
  std::uintptr_t bits = 0;
  for (const void* const array : arrays) bits |= reinterpret_cast<std::uintptr_t>(array);
  return reinterpret_cast<const void*>(bits);
}

// The problem for a call with several arrays, of which so many are read.
Problem sized_for(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs) {
  Problem sized = problem;
  sized.size =
      runtime::planned_size(problem, common_address(arrays.first(inputs)), common_address(arrays.subspan(inputs)));
  return sized;
}

void set_size(runtime::CallValues& values, const Items& n) {
  runtime::set_items(values, n);
}
void set_size(runtime::CallValues& values, const Rows& rows) {
  runtime::set_rows(values, rows);
}
void set_size(runtime::CallValues& values, const Axis& axis) {
  runtime::set_axis(values, axis);
}
void set_size(runtime::CallValues& values, const Segments& segments) {
  runtime::set_segments(values, segments);
}

// `size`: Items, Rows, Axis or Segments.
template <typename Size>
runtime::CallValues values_of(std::span<const void* const> arrays, const Size& size,
                              std::span<const void* const> scalars) {
  runtime::CallValues values;
  set_size(values, size);
  std::copy(arrays.begin(), arrays.end(), values.arrays.begin());
  std::copy(scalars.begin(), scalars.end(), values.scalars.begin());
  return values;
}

// `scalar`: on the host; null: the default, if the problem has a scalar.
template <typename Size>
void run_planned(const Plan& planned, std::span<const void* const> arrays, const Size& size, const void* scalar,
                 Stream stream) {
  const runtime::PlanState& state = planned.state();
  if (scalar == nullptr && !state.scalars.empty()) scalar = runtime::default_initial(state).bytes.data();
  runtime::run(state, values_of(arrays, size, std::span(&scalar, 1)), stream, nullptr);
}

// `scalar`: in device memory.
template <typename Size>
void run_planned_from_memory(const Plan& planned, std::span<const void* const> arrays, const Size& size,
                             const void* scalar, Stream stream) {
  runtime::run_from_memory(planned.state(), values_of(arrays, size, std::span(&scalar, 1)), stream, nullptr);
}

}  // namespace

Context::Context(const ContextOptions& options) : TypedCalls(runtime::Engine::open(options)) {}

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
  engine_->release(stream);
}

void Context::refresh() {
  engine_->refresh();
}

Stream Context::default_stream() const {
  return engine_->device().default_stream();
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

void TypedCalls::run(const Problem& problem, const void* in, void* out, const Items& n, const void* initial,
                     Stream stream) {
  if (!n.is_plain()) {
    const void* const arrays[] = {in, out};
    return run_arrays(problem, arrays, 1, n, initial, stream);
  }
  Problem sized = problem;
  sized.size = runtime::planned_size(problem, in, out);
  const Plan planned = engine_->plan(sized, stream);
  if (initial == nullptr) return planned.run(in, out, n.most(), stream);
  Scalar start;
  start.type = problem.accumulator;
  std::memcpy(start.bytes.data(), initial, size_of(problem.accumulator));
  planned.run(in, out, n.most(), start, stream);
}

void TypedCalls::run_from_memory(const Problem& problem, const void* in, void* out, const Items& n, const void* initial,
                                 Stream stream) {
  const void* const arrays[] = {in, out};
  run_arrays_from_memory(problem, arrays, 1, n, initial, stream);
}

void CompactCalls::run_arrays(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs,
                              const Items& n, const void* scalar, Stream stream) {
  run_planned(engine_->plan(sized_for(problem, arrays, inputs), stream), arrays, n, scalar, stream);
}

void CompactCalls::run_arrays_from_memory(const Problem& problem, std::span<const void* const> arrays,
                                          std::size_t inputs, const Items& n, const void* scalar, Stream stream) {
  run_planned_from_memory(engine_->plan(sized_for(problem, arrays, inputs), stream), arrays, n, scalar, stream);
}

void PartitionCalls::run_with_scalars(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs,
                                      const Items& n, std::span<const void* const> scalars, Stream stream) {
  const Plan planned = engine_->plan(sized_for(problem, arrays, inputs), stream);
  runtime::run(planned.state(), values_of(arrays, n, scalars), stream, nullptr);
}

void PartitionCalls::run_with_scalars_in_memory(const Problem& problem, std::span<const void* const> arrays,
                                                std::size_t inputs, const Items& n,
                                                std::span<const void* const> scalars, Stream stream) {
  const Plan planned = engine_->plan(sized_for(problem, arrays, inputs), stream);
  runtime::run_from_memory(planned.state(), values_of(arrays, n, scalars), stream, nullptr);
}

void RowCalls::run_rows(const Problem& problem, const void* in, void* out, const Rows& rows, const void* initial,
                        Stream stream) {
  const void* const arrays[] = {in, out};
  run_planned(engine_->plan(sized_for(problem, arrays, 1), stream), arrays, rows, initial, stream);
}

void RowCalls::run_rows_from_memory(const Problem& problem, const void* in, void* out, const Rows& rows,
                                    const void* initial, Stream stream) {
  const void* const arrays[] = {in, out};
  run_planned_from_memory(engine_->plan(sized_for(problem, arrays, 1), stream), arrays, rows, initial, stream);
}

void AxisCalls::run_axis(const Problem& problem, const void* in, void* out, const Axis& axis, const void* initial,
                         Stream stream) {
  const void* const arrays[] = {in, out};
  run_planned(engine_->plan(sized_for(problem, arrays, 1), stream), arrays, axis, initial, stream);
}

void AxisCalls::run_axis_from_memory(const Problem& problem, const void* in, void* out, const Axis& axis,
                                     const void* initial, Stream stream) {
  const void* const arrays[] = {in, out};
  run_planned_from_memory(engine_->plan(sized_for(problem, arrays, 1), stream), arrays, axis, initial, stream);
}

void SegmentCalls::run_segments(const Problem& problem, const void* in, void* out, const Segments& segments,
                                const void* initial, Stream stream) {
  const void* const sized[] = {in, out};
  const void* const arrays[] = {in, segments.offsets(), out};
  run_planned(engine_->plan(sized_for(problem, sized, 1), stream), arrays, segments, initial, stream);
}

void SegmentCalls::run_segments_from_memory(const Problem& problem, const void* in, void* out, const Segments& segments,
                                            const void* initial, Stream stream) {
  const void* const sized[] = {in, out};
  const void* const arrays[] = {in, segments.offsets(), out};
  run_planned_from_memory(engine_->plan(sized_for(problem, sized, 1), stream), arrays, segments, initial, stream);
}

void call_types::refuse_threshold(Type type) {
  throw UsageError(
      fmt::format("the threshold is not a value of {}, the type that it is compared with: pass a value in "
                  "the range of this type",
                  name(type)));
}

}  // namespace upsweep
