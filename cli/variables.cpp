#include "cli/variables.hpp"

#include <array>

namespace upsweep::cli {
namespace {

constexpr std::array<VariableText, 18> variables{{
    {"UPSWEEP_DB",
     "Tuning database, in place of $XDG_DATA_HOME/upsweep/tuning.db or ~/.local/share/upsweep/tuning.db. With 'none', "
     "calls use shipped results only."},
    {"UPSWEEP_PINNED_DB",
     "A database, or an export of one. It alone decides which config a call gets, and nothing is recorded."},
    {"UPSWEEP_RECORD", "'off': calls without a tuned config are not noted in the tuning database."},
    {"UPSWEEP_FORCE_CONFIG", "A config, as JSON or a file of it, that every call uses."},
    {"UPSWEEP_CHECK",
     "'1': every call checks its addresses. Otherwise only the first call of a plan does. Errors are null, misaligned "
     "addresses and memory that the device cannot use."},
    {"UPSWEEP_LOG",
     "What the library logs on standard error: off, warning (the default), info (kernels that are compiled, configs "
     "that are chosen) or debug (also reads of cache and database)."},
    {"UPSWEEP_NVTX", "'1': NVTX ranges around calls, which NVIDIA Nsight Systems shows."},
    {"UPSWEEP_CACHE", "'off': compiled kernels are not kept on disk."},
    {"UPSWEEP_CACHE_DIR", "Folder of the compiled kernels, in place of $XDG_CACHE_HOME/upsweep or ~/.cache/upsweep."},
    {"UPSWEEP_CACHE_SIZE",
     "Size limit of that folder, in bytes or with K, M, G (default 256M). The least recently used kernels go first."},
    {"UPSWEEP_CXX",
     "C++ compiler of the host device, with arguments if need be, in place of CXX, c++, g++ or clang++. Each command "
     "line has kernels and tuning results of its own."},
    {"UPSWEEP_LIBCUDA", "Path of the CUDA driver library. No other one is tried then."},
    {"UPSWEEP_NVRTC", "Path of the NVRTC library, version 12.3 or newer. No other one is tried then."},
    {"UPSWEEP_LIBNVML", "Path of the NVML library, which tells clock rates. No other one is tried then."},
    {"UPSWEEP_WORKER", "Path of the upsweep command that runs candidates of a tune in processes of their own."},
    {"UPSWEEP_CUB_PEER", "Path of the library through which 'bench' calls CUB."},
    {"UPSWEEP_BROWSER", "Path of the Chromium that tests and screenshots of the report use."},
    {"NO_COLOR", "If it is set and not empty, errors and warnings have no colour on a terminal."},
}};

}  // namespace

std::span<const VariableText> environment_variables() noexcept {
  return variables;
}

}  // namespace upsweep::cli
