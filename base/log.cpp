// The log of the library: its level, and where messages go (upsweep/log.hpp).
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <upsweep/error.hpp>

#include "base/environment.hpp"
#include "base/logging.hpp"

namespace upsweep {
namespace {

constexpr std::array<std::pair<std::string_view, LogLevel>, 4> levels{
    {{"off", LogLevel::off}, {"warning", LogLevel::warning}, {"info", LogLevel::info}, {"debug", LogLevel::debug}}};

std::optional<LogLevel> parse_level(std::string_view text) {
  for (const auto& [name, level] : levels) {
    if (text == name) return level;
  }
  return std::nullopt;
}

// A name that is not known counts as the default here; a context that is opened refuses it.
LogLevel level_of_environment() {
  return parse_level(base::environment("UPSWEEP_LOG").value_or("")).value_or(LogLevel::warning);
}

std::atomic<LogLevel>& current_level() {
  static std::atomic<LogLevel> level{level_of_environment()};
  return level;
}

std::mutex mutex;

LogSink& sink() {
  // Never destroyed: static objects may warn at exit.
  static auto& current =
      *new LogSink([](LogLevel, const std::string& line) { std::fprintf(stderr, "upsweep: %s\n", line.c_str()); });
  return current;
}

}  // namespace

LogSink set_log_sink(LogSink replacement) {
  const std::lock_guard lock(mutex);
  return std::exchange(sink(), std::move(replacement));
}

void set_log_level(LogLevel level) noexcept {
  current_level() = level;
}

LogLevel log_level() noexcept {
  return current_level();
}

void log(LogLevel level, const std::string& line) {
  if (level > log_level()) return;
  LogSink current;
  {
    const std::lock_guard lock(mutex);
    current = sink();
  }
  if (current) current(level, line);
}

void check_log_level() {
  const std::optional<std::string> value = base::environment("UPSWEEP_LOG");
  if (!value || parse_level(*value)) return;
  throw UsageError(fmt::format("UPSWEEP_LOG is '{}': use off, warning, info or debug", *value));
}

}  // namespace upsweep
