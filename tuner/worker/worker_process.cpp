#include "tuner/worker/worker_process.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <upsweep/source.hpp>

#include "base/cancellation.hpp"

namespace upsweep::tuner {
WorkerProcess::WorkerProcess(const WorkerSettings& settings, std::chrono::milliseconds patience) try
    : process_(settings.command, settings.variables) {
  const std::string& program = settings.command.at(0);
  const Heard heard = ask(Greet{}, patience);
  if (const auto* gone = std::get_if<Lost>(&heard)) {
    throw DeviceError(fmt::format("{} is not an upsweep worker: {}", program, gone->how));
  }
  const auto* greeting = std::get_if<Greeting>(&std::get<Answer>(heard));
  if (greeting == nullptr)
    throw DeviceError(fmt::format("{} is not an upsweep worker: its first answer is not a greeting", program));
  if (greeting->protocol != protocol_version || greeting->generator != generator_version()) {
    throw DeviceError(
        fmt::format("{} has protocol {} and generator {}, but this library has protocol {} and generator {}: install "
                    "the same version of both",
                    program, greeting->protocol, greeting->generator, protocol_version, generator_version()));
  }
} catch (const std::system_error& error) {
  throw DeviceError(
      fmt::format("a worker process cannot be started ({}): {}", settings.command.at(0), error.code().message()));
}

WorkerProcess::Heard WorkerProcess::ask(const Request& request, std::chrono::milliseconds patience,
                                        const std::stop_token& stop) {
  if (!tell(request)) return lost(false, process_.end());
  return listen(patience, stop);
}

base::ChildProcess::Received WorkerProcess::receive(std::string& line, std::chrono::milliseconds patience,
                                                    const std::stop_token& stop) {
  constexpr std::chrono::milliseconds step{50};
  constexpr std::chrono::milliseconds grace{300};  // what runs on a GPU ends by itself meanwhile
  const base::ChildProcess::Clock::time_point deadline = base::ChildProcess::Clock::now() + patience;
  std::optional<base::ChildProcess::Clock::time_point> last_moment;
  for (;;) {
    const auto received = process_.receive(line, std::min(deadline, base::ChildProcess::Clock::now() + step));
    const auto now = base::ChildProcess::Clock::now();
    if (received != base::ChildProcess::Received::nothing || stop.stop_requested() || now >= deadline) return received;
    if (!base::cancelled()) continue;
    if (!last_moment) last_moment = now + grace;
    if (now < *last_moment) continue;
    process_.kill();
    throw base::Cancelled();
  }
}

WorkerProcess::Heard WorkerProcess::listen(std::chrono::milliseconds patience, const std::stop_token& stop) {
  std::string line;
  switch (receive(line, patience, stop)) {
    case base::ChildProcess::Received::end:
      return lost(false, process_.end());
    case base::ChildProcess::Received::nothing:
      process_.kill();
      static_cast<void>(process_.end());
      return lost(true, fmt::format("no answer within {:.1f} s", static_cast<double>(patience.count()) / 1e3));
    case base::ChildProcess::Received::line:
      break;
  }
  try {
    return answer_from_line(line);
  } catch (const ProtocolError& error) {
    process_.kill();
    static_cast<void>(process_.end());
    return lost(false, error.what());
  }
}

WorkerProcess::Lost WorkerProcess::lost(bool hung, const std::string& how) {
  const std::string words = process_.last_words();
  return {.hung = hung, .how = words.empty() ? how : fmt::format("{}; its last output: {}", how, words)};
}

}  // namespace upsweep::tuner
