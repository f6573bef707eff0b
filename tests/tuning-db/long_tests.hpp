// Tests that take a sample in every run and the whole on demand: UPSWEEP_LONG_TESTS=1.
#pragma once

#include <cstdlib>

namespace upsweep::tuning_db {

inline bool long_tests() {
  const char* value = std::getenv("UPSWEEP_LONG_TESTS");
  return value != nullptr && *value != '\0';
}

}  // namespace upsweep::tuning_db
