// Checks of the offsets of segments, which lie in device memory.
#pragma once

#include <upsweep/stream.hpp>

#include "runtime/plan_state.hpp"

namespace upsweep::runtime {

// With UPSWEEP_CHECK=1: reads the offsets of a call of segments, after all earlier work in the stream, and throws
// UsageError, naming the first wrong segment, unless they ascend and none is above the number of items, or, if two
// unordered segments of a scan overlap, naming these. Without it, and while the stream is being captured, offsets are
// not looked at, nor are those that the tuner makes. Other problems have none.
void check_offsets(const PlanState& state, const CallValues& values, Stream stream);

}  // namespace upsweep::runtime
