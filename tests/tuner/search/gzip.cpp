#include "tests/tuner/search/gzip.hpp"

#include <array>
#include <memory>

#include <zlib.h>
#include <upsweep/error.hpp>

namespace upsweep::tuner {

std::string read_gzip(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& why) -> InputError { return InputError(path.string() + ": " + why); };
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) throw fail("cannot be read");
  std::string text;
  std::array<char, 1 << 16> part;
  while (true) {
    const int count = gzread(file.get(), part.data(), part.size());
    int error = Z_OK;
    const char* const message = gzerror(file.get(), &error);
    if (count < 0 || (error != Z_OK && error != Z_STREAM_END))
      throw fail(std::string("no whole gzip file: ") + message);
    if (count == 0) break;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  if (gzdirect(file.get()) != 0) throw fail("no gzip file");
  return text;
}

}  // namespace upsweep::tuner
