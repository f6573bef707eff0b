// Reads and writes whole files. The path "-" stands for standard input or output.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_handle.hpp"
#include "base/pending_file.hpp"

namespace upsweep::base {

// "'path'", or "standard input": how a source of data is called in messages.
[[nodiscard]] std::string input_label(const std::string& path);

// The bytes of a file or of standard input up to its end. Throws InputError.
[[nodiscard]] std::vector<std::byte> read_bytes(const std::string& path);

[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Opens what a closed standard descriptor stands for in a way that its use fails: otherwise the next file that is
// opened would get its number, be read as the input or have messages written into it.
void reserve_standard_descriptors();

// Output that appears whole or not at all: commit() puts it in the file's place. Without commit() the file that was
// there before stays as it was. Symbolic links are followed, to a file that is not there yet too. Pipes, devices and
// "-" are written directly.
class OutputFile {
 public:
  // Throws InputError if the file cannot be made.
  explicit OutputFile(const std::string& path, PendingFile::Name name = PendingFile::Name::none_if_possible);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Both throw InputError, naming the file and the reason ("No space left on device").
  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string label_;
  std::optional<PendingFile> pending_;  // none where the output is written directly
  FileHandle file_;                     // of a pipe or a device that was named
  int descriptor_ = -1;                 // of what is written
};

// The same with all of the text.
void write_file(const std::string& path, std::string_view text);

}  // namespace upsweep::base
