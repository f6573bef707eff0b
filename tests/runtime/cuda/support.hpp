// Environment variables and messages for the tests of the CUDA runtime.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

namespace upsweep::runtime::test {

// Sets a variable, or unsets it for a null value, and puts it back.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value != nullptr) {
      ::setenv(name_, value, 1);
    } else {
      ::unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

// The message of the error that a call throws; a test failure if it throws none of that type.
template <typename ErrorType, typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const ErrorType& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

}  // namespace upsweep::runtime::test
