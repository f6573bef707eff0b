// What the tests of the command share: calling it in this process, with streams, folders and variables of their own.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/array_file.hpp"
#include "cli/command.hpp"

namespace upsweep::cli {

// Sets a variable, or unsets it, for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value) {
      ::setenv(name_, value->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

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

// A folder and a tuning database of its own, and one cache for all tests: compiling takes most of their time.
class Command : public ::testing::Test {
 protected:
  Command()
      : folder_(make_folder()),
        cache_("XDG_CACHE_HOME", UPSWEEP_TEST_CACHE),
        cache_directory_("UPSWEEP_CACHE_DIR", std::nullopt),
        database_("UPSWEEP_DB", path("tuning.db")),
        forced_("UPSWEEP_FORCE_CONFIG", std::nullopt),
        pinned_("UPSWEEP_PINNED_DB", std::nullopt),
        record_("UPSWEEP_RECORD", "off"),
        driver_("UPSWEEP_LIBCUDA", "/nonexistent/libcuda.so.1"),
        compiler_("UPSWEEP_CXX", std::nullopt) {
    std::filesystem::create_directories(UPSWEEP_TEST_CACHE);
  }
  ~Command() override { remove_folder(); }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // For a process that ends before the destructor.
  void remove_folder() const {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // What it prints with --json.
  static nlohmann::json document(std::vector<std::string> arguments, int code = 0) {
    arguments.emplace_back("--json");
    const Called called = call(arguments);
    EXPECT_EQ(called.code, code) << called.err;
    return called.json();
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  [[nodiscard]] std::string make(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  template <typename T>
  [[nodiscard]] std::string make_array(const std::string& name, const std::vector<T>& items) const {
    write_array(path(name), {value_type<T>(), items.size(), bytes_of(items)});
    return path(name);
  }

  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  template <typename T>
  [[nodiscard]] std::vector<T> array(const std::string& name) const {
    const Array read =
        read_array(path(name), {.type = value_type<T>(), .column = {}, .expected_items = {}, .note = {}});
    std::vector<T> items(read.items);
    if (!items.empty()) std::memcpy(static_cast<void*>(items.data()), read.bytes.data(), read.bytes.size());
    return items;
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

 private:
  static std::filesystem::path make_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "upsweep-command-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder: " + pattern);
    return pattern;
  }
  template <typename T>
  static std::vector<std::byte> bytes_of(const std::vector<T>& items) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(items));
    return {bytes.begin(), bytes.end()};
  }

  std::filesystem::path folder_;
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
