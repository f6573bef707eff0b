// What tests of bad input share: a scan of three numbers that works, and what is said if it cannot use the database.
#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/cli/support.hpp"

namespace upsweep::cli {

class BadInput : public Command {
 protected:
  // `run inclusive_scan --op plus --type i32` of three numbers into a file, with changes.
  [[nodiscard]] std::vector<std::string> scan(const std::vector<std::string>& more = {}) const {
    const std::string numbers = make("numbers.txt", "1\n2\n3\n");
    return with(words("run inclusive_scan --op plus --type i32 --device host -o", {path("out.npy"), numbers}), more);
  }
  // The same with each `from` replaced.
  [[nodiscard]] std::vector<std::string> scan_with(const std::string& from, const std::string& to) const {
    std::vector<std::string> arguments = scan();
    std::ranges::replace(arguments, from, to);
    return arguments;
  }

  // Computes without the tuning database, and says so.
  void expect_warning(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) const {
    const Called called = call(arguments);
    EXPECT_EQ(called.code, 0) << called.err;
    EXPECT_THAT(called.err, ::testing::StartsWith("upsweep: warning: your own tuning results are not used: "));
    for (const std::string& part : parts) EXPECT_THAT(called.err, ::testing::HasSubstr(part));
    EXPECT_EQ(array<int>("out.npy"), (std::vector<int>{1, 3, 6}));
  }
};

}  // namespace upsweep::cli
