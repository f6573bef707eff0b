// Problems and schedules of the tests under hostile schedules.
#pragma once

#include <cstdint>
#include <memory>

#include <upsweep/problem.hpp>

#include "runtime/host/host_device.hpp"
#include "runtime/host/schedule.hpp"

namespace upsweep::test {

// A launch that is stuck is given up soon.
inline runtime::HostSchedule hostile_schedule(std::uint64_t seed) {
  runtime::HostSchedule schedule = runtime::HostSchedule::hostile(seed);
  schedule.poll_limit = 200'000;
  return schedule;
}

inline std::shared_ptr<runtime::HostDevice> device_of_multiprocessors(int count) {
  const runtime::HostDevice usual;
  DeviceIdentity identity = usual.identity();
  DeviceLimits limits = usual.limits();
  identity.multiprocessors = limits.multiprocessors = count;
  return std::make_shared<runtime::HostDevice>(identity, limits);
}

// Few blocks, so that the tiles that refill their rings are few, too.
inline std::shared_ptr<runtime::HostDevice> two_multiprocessors() {
  return device_of_multiprocessors(2);
}

inline Problem affine(Algorithm algorithm, Type type) {
  return make_problem(algorithm, Operator::affine, type, type);
}

// 16 bytes, more than one word holds: a mixture of two values would have parts of both.
inline Problem complex_sum(Algorithm algorithm) {
  return make_problem(algorithm, Operator::plus, Type::c128, Type::c128);
}

inline Problem sum(Algorithm algorithm, Type input, Type output) {
  return make_problem(algorithm, Operator::plus, input, output);
}

}  // namespace upsweep::test
