/// @file
/// ContextOptions: the options of a Context. context.hpp includes this header.
#pragma once

#include <upsweep/export.hpp>

#include <string>

namespace UPSWEEP_API upsweep {

/// Options of a Context. The defaults suit most programs.
struct ContextOptions {
  /// Where kernels run:
  /// - "auto": the CUDA device that is current in the calling thread. If no device is current, CUDA device 0 is used.
  ///   If there is no GPU, the host device is used.
  /// - "cuda" or "cuda:1": that GPU. If it cannot be used, the constructor throws DeviceError.
  /// - "cuda:0/16": a part of that GPU, with 16 of its multiprocessors: a green context in CUDA's words. It is a device
  ///   of its own, with tuning results of its own. "cuda:0/16" is the first part of that size, "cuda:0/16#1" the
  ///   second, and so on; they share no multiprocessor. `upsweep devices` shows the possible sizes; for another one the
  ///   constructor throws UsageError. It throws DeviceError if the driver (CUDA 12.4 or newer) or the GPU has no green
  ///   contexts.
  /// - "host": the host device, which runs the generated kernels on the CPU. It is meant for tests and is slow.
  std::string device = "auto";
  /// Path of the tuning database. If empty, $UPSWEEP_DB names the path. If that is not set either, the user's own
  /// database is used. With "none", only the results that are shipped with the library are used.
  std::string database{};
  /// Path of a tuning database, or of a JSON export of one, that alone decides which configs are used. The user's
  /// database and the shipped results are ignored, and nothing is recorded. Every process that names the same file
  /// chooses the same configs on the same kind of device, with any driver and compiler. The file is read once, when the
  /// context is made. If empty, $UPSWEEP_PINNED_DB names the path. If that is not set either, no database is pinned.
  std::string pinned_database{};
  /// Whether the context records, in the tuning database, which problems and sizes ran without a winner of their own.
  /// `upsweep tune --wanted` tunes these problems. The database is created if it does not exist. A failure to record is
  /// ignored. UPSWEEP_RECORD=off switches recording off.
  bool record_wanted = true;
  /// Whether to use only configs whose results are bit-identical from run to run (see the page "Determinism").
  bool reproducible = false;
  /// Whether a kernel may be launched before the previous kernel in the stream has ended (programmatic dependent
  /// launch). Each kernel waits for the previous one before it touches memory, so results do not depend on this option.
  /// Without it, a sequence of short kernels takes longer.
  bool dependent_launch = true;
};

}  // namespace upsweep
