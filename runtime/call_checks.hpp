// Checks of the addresses and scalars of a call (include/upsweep/context.hpp, "Address checks"). All throw UsageError.
#pragma once

#include <upsweep/port.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/plan_state.hpp"

namespace upsweep::runtime {

void check_scalar(const ScalarPort& port, const Scalar& value);
// Null by every call, because it costs nothing; the rest by the first call of a plan, and by all if UPSWEEP_CHECK=1.
// An array of no items is not looked at.
void check_arrays(const PlanState& state, const CallValues& values);
// A scalar in device memory. What is written once, at the end, may take the place of a scalar. Other outputs are
// written while other blocks may still read the scalar.
void check_scalar_address(const PlanState& state, const ScalarPort& scalar, const void* address,
                          const CallValues& values);

}  // namespace upsweep::runtime
