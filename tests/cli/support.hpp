// What the tests of the command share: calling it in this process, with streams, folders and variables of their own.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/array_file.hpp"
#include "cli/command.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/variable.hpp"

namespace upsweep::cli {

using test::Variable;

struct Called {
  int code = 0;
  std::string out;
  std::string err;

  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
  [[nodiscard]] std::ptrdiff_t error_lines() const { return std::count(err.begin(), err.end(), '\n'); }
};

inline Called call(const std::vector<std::string>& arguments, const std::string& in = {}) {
  std::istringstream input(in);
  std::ostringstream out;
  std::ostringstream err;
  const int code = main(arguments, input, out, err);
  return {code, out.str(), err.str()};
}

// The words of a line, and more.
inline std::vector<std::string> words(const std::string& line, const std::vector<std::string>& more = {}) {
  std::istringstream text(line);
  std::vector<std::string> all{std::istream_iterator<std::string>(text), {}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

inline std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

enum : int { usage = 2, input = 3, device = 4, compiler = 5, database = 6 };

// What a call gave that must end with 0.
inline Called worked(Called called) {
  EXPECT_EQ(called.code, 0) << called.err;
  return called;
}

// A folder and a tuning database of its own, and one cache for all tests: compiling takes most of their time.
class Command : public test::TestFolder, public ::testing::Test {
 protected:
  Command()
      : cache_("XDG_CACHE_HOME", UPSWEEP_TEST_CACHE),
        cache_directory_("UPSWEEP_CACHE_DIR", std::nullopt),
        database_("UPSWEEP_DB", path("tuning.db")),
        forced_("UPSWEEP_FORCE_CONFIG", std::nullopt),
        pinned_("UPSWEEP_PINNED_DB", std::nullopt),
        record_("UPSWEEP_RECORD", "off"),
        driver_("UPSWEEP_LIBCUDA", "/nonexistent/libcuda.so.1"),
        compiler_("UPSWEEP_CXX", std::nullopt) {
    std::filesystem::create_directories(UPSWEEP_TEST_CACHE);
  }
  // What it prints with --json.
  static nlohmann::json document(std::vector<std::string> arguments, int code = 0) {
    arguments.emplace_back("--json");
    const Called called = call(arguments);
    EXPECT_EQ(called.code, code) << called.err;
    return called.json();
  }

  // One line on the error stream with these parts, that code, nothing on standard output and no file left behind.
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

  template <typename T>
  [[nodiscard]] std::string make_array(const std::string& name, const std::vector<T>& items) const {
    write_array(path(name), {value_type<T>(), items.size(), bytes_of(items)});
    return path(name);
  }

  template <typename T>
  [[nodiscard]] std::vector<T> array(const std::string& name) const {
    const Array read =
        read_array(path(name), {.type = value_type<T>(), .column = {}, .expected_items = {}, .note = {}});
    std::vector<T> items(read.items);
    if (!items.empty()) std::memcpy(static_cast<void*>(items.data()), read.bytes.data(), read.bytes.size());
    return items;
  }

 private:
  template <typename T>
  static std::vector<std::byte> bytes_of(const std::vector<T>& items) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(items));
    return {bytes.begin(), bytes.end()};
  }

  Variable cache_;
  Variable cache_directory_;
  Variable database_;
  Variable forced_;
  Variable pinned_;
  Variable record_;
  Variable driver_;  // no GPU: the same outcome on every machine
  Variable compiler_;
};

}  // namespace upsweep::cli
