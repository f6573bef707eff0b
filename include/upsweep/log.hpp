/// @file
/// The log of the library. By default it has only rare warnings. On request it also tells which kernels are compiled
/// and which configs are chosen. Errors are exceptions (upsweep/error.hpp) and are not logged.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace UPSWEEP_API upsweep {

/// Which lines are logged. Each level includes those before it.
enum class LogLevel : std::uint8_t {
  off,      ///< nothing
  warning,  ///< a feature does not work, and calls continue without it; this level is the default
  info,     ///< also devices that are opened, kernels that are compiled and configs that are chosen
  debug     ///< also reads of the cache and the database, and memory that is allocated
};

/// Receives one line of the log, without a newline at the end. It is called from any thread, and from several threads
/// at once.
using LogSink = std::function<void(LogLevel level, const std::string& line)>;

/// Replaces the function that receives the log, for the whole process. The default writes to standard error.
/// Thread-safe.
/// @param sink receives each line; an empty function discards all of them.
/// @return the previous sink.
LogSink set_log_sink(LogSink sink);

/// Sets which lines the sink receives, for the whole process. Without this call, the environment variable UPSWEEP_LOG
/// (off, warning, info or debug) decides. Thread-safe.
void set_log_level(LogLevel level) noexcept;

/// The level that is in force. Thread-safe.
[[nodiscard]] LogLevel log_level() noexcept;

}  // namespace upsweep
