// The one hierarchy of failures: what happened, to what, and what to do about it, in one line.
#pragma once

#include <stdexcept>
#include <string>

namespace upsweep {

// What a failure is about; the command's exit codes are these values (docs/command.md).
enum class ErrorKind {
  internal = 1,  // a defect of upsweep: please report
  usage = 2,     // unknown name, value outside the space, bad option
  input = 3,     // a file or data that cannot be used
  device = 4,    // no driver, no device, no memory, failed launch
  compiler = 5,  // no compiler, or the source did not compile
  database = 6,  // the tuning database cannot be used
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

// A name or value that upsweep does not know, or a config outside the space.
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(ErrorKind::usage, message) {}
};

// A file or data that is missing, short, or not what it should be.
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(ErrorKind::input, message) {}
};

// The driver, a device, its memory or a launch failed.
struct DeviceError : Error {
  explicit DeviceError(const std::string& message) : Error(ErrorKind::device, message) {}
};

// No compiler was found, or the generated source did not compile. The message's first line stands alone; the compiler's
// log and the numbered source follow in `details`.
class CompilerError : public Error {
 public:
  explicit CompilerError(const std::string& message, std::string details = {})
      : Error(ErrorKind::compiler, message), details_(std::move(details)) {}
  [[nodiscard]] const std::string& details() const noexcept { return details_; }

 private:
  std::string details_;
};

// The tuning database is of another schema version, damaged, or no upsweep database.
struct DatabaseError : Error {
  explicit DatabaseError(const std::string& message) : Error(ErrorKind::database, message) {}
};

}  // namespace upsweep
