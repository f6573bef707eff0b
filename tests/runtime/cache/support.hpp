// Files of a cache for one test each.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>

#include "runtime/cache/binary_cache.hpp"
#include "runtime/cache/record.hpp"
#include "runtime/device.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/variable.hpp"
#include "tests/support/warnings.hpp"

namespace upsweep::runtime::test {

using upsweep::test::Variable;
using upsweep::test::Warnings;

inline Binary bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return Binary(begin, begin + text.size());
}

inline Binary read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return bytes_of(std::string(std::istreambuf_iterator<char>(file), {}));
}

inline void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Sets when a file was last used.
inline void set_last_use(const std::filesystem::path& path, const timespec& time) {
  const timespec times[2] = {time, time};
  if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) throw std::runtime_error("cannot date " + path.string());
}

// The same, a number of seconds before now.
inline void set_age(const std::filesystem::path& path, int seconds) {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec -= seconds;
  set_last_use(path, time);
}

}  // namespace upsweep::runtime::test
