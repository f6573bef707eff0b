// What a budget is too short for.
#pragma once

#include <upsweep/error.hpp>

namespace upsweep::tuner {

// Nothing could be measured within the budget; the message says what to change.
struct OutOfTime : UsageError {
  using UsageError::UsageError;
};

}  // namespace upsweep::tuner
