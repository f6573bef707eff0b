// What tests of bad input share: one line on the error stream that says what to do, an exit code, nothing on standard
// output and no file left behind.
#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/cli/support.hpp"

namespace upsweep::cli {

enum : int { usage = 2, input = 3, device = 4, compiler = 5, database = 6 };

class BadInput : public Command {
 protected:
  // `run inclusive_scan --op plus --type i32` of three numbers into a file, with changes.
  [[nodiscard]] std::vector<std::string> scan(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run",
                                       "inclusive_scan",
                                       "--op",
                                       "plus",
                                       "--type",
                                       "i32",
                                       "-o",
                                       path("out.npy"),
                                       "--device",
                                       "host",
                                       make("numbers.txt", "1\n2\n3\n")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  // The same with each `from` replaced.
  [[nodiscard]] std::vector<std::string> scan_with(const std::string& from, const std::string& to) const {
    std::vector<std::string> arguments = scan();
    std::ranges::replace(arguments, from, to);
    return arguments;
  }

  void expect_error(const std::vector<std::string>& arguments, int code, const std::vector<std::string>& parts) const {
    const std::vector<std::string> before = files();
    const Called called = call(arguments);
    EXPECT_EQ(called.code, code) << called.err;
    EXPECT_THAT(called.err, ::testing::StartsWith("upsweep: "));
    EXPECT_EQ(called.error_lines(), 1) << called.err;
    for (const std::string& part : parts) EXPECT_THAT(called.err, ::testing::HasSubstr(part));
    EXPECT_THAT(called.out, ::testing::IsEmpty());
    EXPECT_EQ(files(), before);
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
