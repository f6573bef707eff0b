// Where upsweep's rare warnings go ("the cache cannot be written; going on uncached"). By default to standard error.
#pragma once

#include <functional>
#include <string>

namespace upsweep {

// Replaces the sink for warnings, process-wide; an empty function silences them. Thread-safe. Returns the one before.
std::function<void(const std::string&)> set_warning_sink(std::function<void(const std::string&)> sink);

// One line, without a newline at its end.
void warn(const std::string& message);

}  // namespace upsweep
