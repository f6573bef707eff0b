// Collects which calls ran without a tuning result of their own, and writes them to the database.
#pragma once

#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "tuning-db/wanted.hpp"

namespace upsweep::runtime {

// Thread-safe. Kept in memory and written to the database after every 16th plan and at the end; a call's success does
// not depend on it: what cannot be written within a moment is kept for the next time, and dropped at the end.
class WantedLog {
 public:
  explicit WantedLog(std::filesystem::path database);
  ~WantedLog();
  WantedLog(const WantedLog&) = delete;
  WantedLog& operator=(const WantedLog&) = delete;

  void add(const Problem& problem, std::string_view rung, const DeviceIdentity& device) noexcept;

 private:
  void write(std::vector<tuning_db::Wanted> due) noexcept;
  // False: not now.
  [[nodiscard]] bool stored(const std::vector<tuning_db::Wanted>& due) const;

  std::filesystem::path database_;
  std::mutex mutex_;
  std::vector<tuning_db::Wanted> kept_;
  std::size_t next_write_;
};

}  // namespace upsweep::runtime
