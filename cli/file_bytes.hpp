// Whole files in and out, "-" being standard input or output.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace upsweep::cli {

// "'path'", or "standard input": how a source of data is called in messages.
[[nodiscard]] std::string input_label(const std::string& path);

// The bytes of a file or of standard input up to its end. Throws InputError.
[[nodiscard]] std::vector<std::byte> read_bytes(const std::string& path);

// Output that appears whole or not at all: written beside the file under another name, and renamed by commit(). Without
// commit() the file that was there before stays as it was. Pipes, devices and "-" are written directly.
class OutputFile {
 public:
  // Throws InputError if the file cannot be made.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Both throw InputError, naming the file and the reason ("No space left on device").
  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string label_;
  std::string path_;       // with symbolic links followed
  std::string temporary_;  // empty where the output is written directly
  int descriptor_ = -1;
  bool owned_ = false;
};

}  // namespace upsweep::cli
