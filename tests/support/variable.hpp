// A variable of the environment for one test.
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <optional>
#include <string>

namespace upsweep::test {

// Sets the variable, or unsets it, for as long as the object lives.
class Variable {
 public:
  Variable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* before = ::getenv(name)) before_ = before;
    set(value);
  }
  Variable(const char* name, std::nullptr_t) = delete;  // std::nullopt unsets it
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(before_); }

 private:
  void set(const std::optional<std::string>& value) const {
    value ? ::setenv(name_, value->c_str(), 1) : ::unsetenv(name_);
  }
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace upsweep::test
