// Calls along an axis under hostile schedules.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <upsweep/context.hpp>

#include "tests/runtime/hostile.hpp"
#include "tests/support/axis.hpp"
#include "tests/support/host_context.hpp"

namespace upsweep::test {

inline const Layout layouts_of_axes[] = {{}, {.in_place = true, .in_offset = 1}, {.in_offset = 1, .out_offset = 3}};

// Runs a plan for each shape, under hostile schedules.
inline void expect_right_under_hostile_schedules(const std::shared_ptr<runtime::HostDevice>& device,
                                                 const Problem& problem, const Config& config,
                                                 const std::vector<Axis>& shapes, std::uint64_t seeds) {
  const auto engine = host_engine(device, runtime::HostCompiler::Accesses::watched);
  const Plan plan = engine->plan(problem, config, nullptr);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    device->set_schedule(hostile_schedule(seed));
    const Axis& shape = shapes[seed % shapes.size()];
    ASSERT_EQ(run_and_compare(*device, plan, make_axis_case(problem, shape, seed), layouts_of_axes[seed % 3]),
              std::nullopt)
        << to_json(config) << ", schedule seed " << seed << ", " << shape.outer() << " x " << shape.length() << " x "
        << shape.inner();
  }
}

}  // namespace upsweep::test
