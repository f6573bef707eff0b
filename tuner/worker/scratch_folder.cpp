#include "tuner/worker/scratch_folder.hpp"

#include <string>
#include <system_error>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::tuner {
namespace {

constexpr std::uint64_t cache_bytes = std::uint64_t{16} << 30;

}  // namespace

ScratchFolder::ScratchFolder() try : folder_("upsweep-tune-") {
} catch (const std::system_error& error) {
  throw InputError(
      fmt::format("cannot create a temporary folder for tuning ({}): set TMPDIR to a folder that can be written",
                  error.code().message()));
}

runtime::BinaryCache::Options ScratchFolder::cache() const {
  return {.directory = path() / "kernels", .max_bytes = cache_bytes, .enabled = true};
}

base::Variables ScratchFolder::variables() const {
  // What NVRTC finds in its own cache comes without the assembler's report, and thousands of candidates have no place
  // in the user's.
  return {{"TMPDIR", path().string()},
          {"CUDA_CACHE_DISABLE", "1"},
          {"UPSWEEP_CACHE", "on"},
          {"UPSWEEP_CACHE_DIR", cache().directory.string()},
          {"UPSWEEP_CACHE_SIZE", std::to_string(cache_bytes)}};
}

}  // namespace upsweep::tuner
