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

}  // namespace upsweep::test
