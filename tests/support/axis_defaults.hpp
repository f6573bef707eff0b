// The schedule of an axis by default.
#pragma once

#include <cstdint>
#include <string>

#include <upsweep/axis.hpp>
#include <upsweep/device_info.hpp>

#include "generator/algorithm.hpp"
#include "generator/space.hpp"

namespace upsweep::test {

// Of `size` items, by plus.
inline std::string default_along(Algorithm algorithm, std::uint64_t size, std::uint64_t length, std::uint64_t inner,
                                 const DeviceLimits& limits, Type type = Type::f32) {
  Problem problem = along_axis(make_problem(algorithm, plus, type, type), axis(1, length, inner));
  problem.size = size;
  return Space(problem, limits).default_config().schedule;
}

}  // namespace upsweep::test
