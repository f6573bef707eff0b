// The template files, embedded at build time.
#pragma once

#include <span>
#include <string_view>

namespace upsweep {

struct TemplateFile {
  std::string_view path;  // relative to templates/, "warp/scan.sklansky.cuh"
  std::string_view text;
};

// All of them, ordered by path.
[[nodiscard]] std::span<const TemplateFile> templates() noexcept;

}  // namespace upsweep
