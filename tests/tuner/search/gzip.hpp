// Files of gzip, as recordings are kept.
#pragma once

#include <filesystem>
#include <string>

namespace upsweep::tuner {

// The text in the file. Throws InputError naming the file where it cannot be read, is cut off or damaged.
[[nodiscard]] std::string read_gzip(const std::filesystem::path& path);

}  // namespace upsweep::tuner
