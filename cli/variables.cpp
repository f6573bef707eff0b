#include "cli/variables.hpp"

#include <array>

namespace upsweep::cli {
namespace {

constexpr std::array<VariableText, 18> variables{{
    {"UPSWEEP_DB",
     "Path of the tuning database. Default: $XDG_DATA_HOME/upsweep/tuning.db, or ~/.local/share/upsweep/tuning.db. "
     "With "
     "'none', only shipped results are used."},
    {"UPSWEEP_PINNED_DB",
     "Path of a database, or of a JSON export of one, that alone decides which configs are used. Wanted problems are "
     "not recorded."},
    {"UPSWEEP_RECORD",
     "'off': wanted problems (calls that ran without a tuned config) are not recorded in the tuning database."},
    {"UPSWEEP_FORCE_CONFIG",
     "A config that every call uses: its short form, JSON, or the path of a JSON file. Parameters that it leaves out "
     "get default "
     "values."},
    {"UPSWEEP_CHECK",
     "'1': every call checks that its addresses are aligned and belong to memory of the device. Default: only the "
     "first call of each plan checks this. Null addresses are checked in every call. With '1', calls of segments "
     "also read their offsets and name the first wrong segment."},
    {"UPSWEEP_LOG",
     "What the library logs on standard error: off, warning (the default), info (devices that are opened, kernels that "
     "are compiled, configs that are chosen) or debug (also what is read from the cache and the database, and memory "
     "that is allocated)."},
    {"UPSWEEP_NVTX", "'1': NVTX ranges around calls, which NVIDIA Nsight Systems shows."},
    {"UPSWEEP_CACHE", "'off': compiled kernels are not kept on disk."},
    {"UPSWEEP_CACHE_DIR", "Folder for compiled kernels. Default: $XDG_CACHE_HOME/upsweep, or ~/.cache/upsweep."},
    {"UPSWEEP_CACHE_SIZE",
     "Size limit of the folder for compiled kernels, in bytes or with K, M, G. When it is full, the kernels that were "
     "not used for the longest time are removed. Default: 256M."},
    {"UPSWEEP_CXX",
     "Command of the C++20 compiler for the host device, optionally with arguments. Default: $CXX, then c++, g++, "
     "clang++. Kernels and tuning results are separate for each compiler command."},
    {"UPSWEEP_LIBCUDA", "Path of the CUDA driver library. If it is set, no other place is tried."},
    {"UPSWEEP_NVRTC", "Path of the NVRTC library, version 12.3 or newer. If it is set, no other place is tried."},
    {"UPSWEEP_LIBNVML",
     "Path of the NVML library, which reports when the GPU lowered its clocks. If it is set, no other place is tried."},
    {"UPSWEEP_WORKER", "Path of the upsweep command that measures configs in separate processes during a tune."},
    {"UPSWEEP_CUB_PEER", "Path of the library with CUB that 'upsweep bench' compares with."},
    {"UPSWEEP_BROWSER", "Path of the Chromium that tests and screenshots of the report use."},
    {"NO_COLOR", "If it is set and not empty, errors and warnings have no colour on a terminal."},
}};

}  // namespace

std::span<const VariableText> environment_variables() noexcept {
  return variables;
}

}  // namespace upsweep::cli
