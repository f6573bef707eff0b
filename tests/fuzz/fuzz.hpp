// What the fuzz targets share. A target is a file with LLVMFuzzerTestOneInput: libFuzzer feeds it (scripts/fuzz), and
// replay_test.cpp feeds it what is kept in corpus/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <upsweep/error.hpp>

#include "tests/support/test_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace upsweep::fuzz {

// A property that does not hold. No upsweep::Error, so that nothing takes it for a refusal.
struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};

inline void require(bool holds, const char* property) {
  if (!holds) throw Finding(property);
}

template <typename... Texts>
[[noreturn]] void find(const Texts&... texts) {
  throw Finding((std::string() + ... + texts));
}

// What `parse` returns, or nothing if it refuses with one of the errors that are documented for it. Whatever else it
// throws is a finding.
template <typename... Documented, typename Parse>
auto accepted(Parse&& parse) -> std::optional<std::invoke_result_t<Parse>> {
  try {
    return std::forward<Parse>(parse)();
  } catch (const Error& error) {
    if ((... || (dynamic_cast<const Documented*>(&error) != nullptr))) {
      const std::string_view message = error.what();
      require(!message.empty(), "an error without a message");
      require(message.find_first_of("\n\r") == message.npos, "a message of several lines");
      return std::nullopt;
    }
    find("an error of another kind than documented: ", std::string(error.what()));
  }
}

// Reads an input piece by piece; zeros and empty texts behind its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  [[nodiscard]] std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  // From 0 to bound - 1; one byte for a bound of at most 256, else two.
  [[nodiscard]] std::size_t below(std::size_t bound) {
    std::size_t value = byte();
    if (bound > 256) value = value << 8 | byte();
    return value % bound;
  }
  [[nodiscard]] std::string_view text(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view rest_;
};

// For this process's files. scripts/fuzz puts it where a fuzzer that is stopped leaves nothing behind.
using Folder = test::TestFolder;

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace upsweep::fuzz
