/// @file
/// The exceptions of the library. All of them derive from upsweep::Error.
#pragma once

#include <upsweep/export.hpp>

#include <stdexcept>
#include <string>

namespace UPSWEEP_API upsweep {

/// What an error is about. The exit codes of the command are these values (docs/command.md).
enum class ErrorKind {
  internal = 1,  ///< A defect of upsweep: please report it.
  usage = 2,     ///< An unknown name, an invalid value or config, or an invalid option.
  input = 3,     ///< A file or data that cannot be used.
  device = 4,    ///< No driver, no device, too little memory, or a failed launch.
  compiler = 5,  ///< No compiler was found, or a kernel did not compile.
  database = 6,  ///< The tuning database cannot be used.
};

/// Base class of all exceptions of the library. what() is one line that says what happened and what to do about it.
class Error : public std::runtime_error {
 public:
  /// An error of a kind with a message of one line.
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  /// What the error is about.
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// A name or value that upsweep does not know, an argument that a function does not accept, or a config that is not
/// valid for the problem and the device.
struct UsageError : Error {
  /// An error with ErrorKind::usage.
  explicit UsageError(const std::string& message) : Error(ErrorKind::usage, message) {}
};

/// A file or data that is missing, too short, or not in the expected format.
struct InputError : Error {
  /// An error with ErrorKind::input.
  explicit InputError(const std::string& message) : Error(ErrorKind::input, message) {}
};

/// The driver, a device, an allocation of device memory, or a launch failed.
struct DeviceError : Error {
  /// An error with ErrorKind::device.
  explicit DeviceError(const std::string& message) : Error(ErrorKind::device, message) {}
};

/// No compiler was found, or the generated source did not compile. what() is complete without details().
class CompilerError : public Error {
 public:
  /// An error with ErrorKind::compiler.
  explicit CompilerError(const std::string& message, std::string details = {})
      : Error(ErrorKind::compiler, message), details_(std::move(details)) {}
  /// The log of the compiler and the source with line numbers, in several lines; may be empty.
  [[nodiscard]] const std::string& details() const noexcept { return details_; }

 private:
  std::string details_;
};

/// The tuning database is damaged, has a newer schema version, or the file is not an upsweep database.
struct DatabaseError : Error {
  /// An error with ErrorKind::database.
  explicit DatabaseError(const std::string& message) : Error(ErrorKind::database, message) {}
};

}  // namespace upsweep
