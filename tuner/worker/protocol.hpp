// The messages between a tune and its worker processes: one line of JSON each way.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <upsweep/error.hpp>
#include <upsweep/problem.hpp>

#include "tuner/compile/compilations.hpp"
#include "tuner/worker/runner.hpp"

namespace upsweep::tuner {

inline constexpr int protocol_version = 10;

// What came is no message of this protocol: the other side is another program, or another version, or out of its mind.
struct ProtocolError : Error {
  explicit ProtocolError(const std::string& message) : Error(ErrorKind::internal, message) {}
};

// ---- requests. The first is Greet; Open comes before Run, Turn and Keep.

struct Greet {  // answered by Greeting
  bool operator==(const Greet&) const = default;
};
struct Open {          // Opened
  std::string device;  // "cuda:0" or "host"
  Problem problem;     // its size as InProcessRunner takes it
  std::uint64_t seed = 1;
  bool operator==(const Open&) const = default;
};
struct Run {                 // Loaded, then Ran
  std::uint64_t number = 0;  // counts on from worker to worker, from 1: what injected faults go by
  Config config;
  RunRequest request;
  bool operator==(const Run&) const = default;
};
struct Turn {  // Turned
  std::vector<Config> configs;
  RunRequest request;
  bool operator==(const Turn&) const = default;
};
struct Keep {  // no answer: what it brings to light shows at the next request
  std::vector<Config> configs;
  bool operator==(const Keep&) const = default;
};
struct Compile {  // CompileResult
  Problem problem;
  Config config;
  std::string architecture;  // "sm_90", or "host"
  bool operator==(const Compile&) const = default;
};
using Request = std::variant<Greet, Open, Run, Turn, Keep, Compile>;

// ---- answers. Any request but Keep may be answered with Failed.

struct Greeting {
  int protocol = protocol_version;
  std::string generator;  // generator_version()
  bool operator==(const Greeting&) const = default;
};
struct Opened {
  std::string device;  // describe_device of what was opened
  bool operator==(const Opened&) const = default;
};
struct Loaded {  // the candidate is compiled and loaded; what comes now is its own doing
  bool operator==(const Loaded&) const = default;
};
struct Ran {
  Outcome outcome;
  double busy_seconds = 0;  // of this request
  bool leaving = false;     // the device is of no more use to this worker: it ends itself
  bool operator==(const Ran&) const = default;
};
struct Turned {
  std::vector<std::vector<double>> samples_us;
  double busy_seconds = 0;
  bool operator==(const Turned&) const = default;
};
struct Failed {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  bool leaving = false;
  bool operator==(const Failed&) const = default;
};
using Answer = std::variant<Greeting, Opened, Loaded, Ran, Turned, CompileResult, Failed>;

// One line, without a newline. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string to_line(const Request& request);
[[nodiscard]] std::string to_line(const Answer& answer);

// Throw ProtocolError that shows the start of the line.
[[nodiscard]] Request request_from_line(std::string_view line);
[[nodiscard]] Answer answer_from_line(std::string_view line);

}  // namespace upsweep::tuner
