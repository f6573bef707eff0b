// The message of the error that a call throws.
#pragma once

#include <exception>
#include <string>

#include <gtest/gtest.h>

namespace upsweep::test {

// A test failure if the call throws no `Expected`.
template <typename Expected, typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

// Empty if the call throws nothing; other errors than `Expected` go on.
template <typename Expected, typename Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  }
  return {};
}

}  // namespace upsweep::test
