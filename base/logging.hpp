// How the library writes to its log (upsweep/log.hpp).
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>
#include <upsweep/log.hpp>

namespace upsweep {

// Gives the line to the sink if the level is on.
void log(LogLevel level, const std::string& line);

inline void warn(const std::string& line) {
  log(LogLevel::warning, line);
}

// The line is formatted only if its level is on.
template <typename... Arguments>
void log_info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (log_level() >= LogLevel::info) log(LogLevel::info, fmt::format(format, std::forward<Arguments>(arguments)...));
}
template <typename... Arguments>
void log_debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (log_level() >= LogLevel::debug) log(LogLevel::debug, fmt::format(format, std::forward<Arguments>(arguments)...));
}

// Throws UsageError if UPSWEEP_LOG is set to something that is not a level.
void check_log_level();

}  // namespace upsweep
