// What the tests of the tuning database share: trials, and files of databases.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "generator/space.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_folder.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuning_db {

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Runs statements on a file past the library; made if it is missing.
inline void run_sql(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK) << path;
  char* message = nullptr;
  const int code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message);
  EXPECT_EQ(code, SQLITE_OK) << sql << ": " << (message != nullptr ? message : "");
  sqlite3_free(message);
  sqlite3_close(handle);
}

inline DeviceIdentity h200() {
  return {"NVIDIA H200", 9, 0, 132, 6144, 3201000, true};
}

inline DeviceLimits h200_limits() {
  DeviceLimits limits = limits_of_architecture("sm_90");
  limits.memory_bytes = std::uint64_t{140} << 30;
  return limits;
}

inline Problem scan_of(Type type, std::uint64_t size, Operator op = Operator::plus) {
  return make_problem(Algorithm::inclusive_scan, op, type, type, size);
}

// A measured trial with the default config, or the one given.
inline Trial trial_of(const Problem& problem, double microseconds, const DeviceIdentity& device = h200()) {
  Trial trial;
  trial.measured_at = "2026-11-21T06:58:00Z";
  trial.device = device;
  trial.environment = {"580.159.03", "nvrtc 13.0", "1"};
  trial.problem = problem;
  trial.config = Space(problem, h200_limits()).default_config();
  trial.samples_us = {microseconds, microseconds * 1.25, microseconds * 0.875};
  return trial;
}

using test::message_of;

}  // namespace upsweep::tuning_db
