// Kernels that only copy memory, only read it, or do nothing: the limits that a scan, a reduce and a call of
// few items are measured against.
#pragma once

#include <cstdint>
#include <memory>

#include <upsweep/source.hpp>

#include "runtime/engine.hpp"

namespace upsweep::bench {

enum class Plain : std::uint8_t { copy, read, empty };

inline constexpr int plain_threads_per_block = 256;

// Assembled with the library's own target file. Takes the arguments of a generated kernel: input, output, a number of
// bytes in the place of items, an initial value (`read` writes its result only where it equals that) and no workspace.
[[nodiscard]] Source plain_source(Plain which, int vectors_per_thread, Target target);

// Not thread-safe. Calls add to the stream.
class PlainKernels {
 public:
  // Compiles. Throws CompilerError or DeviceError.
  explicit PlainKernels(runtime::Engine& engine);

  // Addresses are aligned to 16 bytes.
  void copy(const void* in, void* out, std::uint64_t bytes, Stream stream) const;
  void read(const void* in, void* sink, std::uint64_t bytes, Stream stream) const;
  void empty(const void* in, void* out, std::uint64_t n, Stream stream) const;

 private:
  using Loaded = std::shared_ptr<const runtime::LoadedKernel>;
  struct Variants {
    Loaded narrow;                    // a vector a thread: small sizes keep all threads busy
    Loaded wide;                      // several in flight
    std::uint64_t narrow_blocks = 1;  // as many as fit on the device
    std::uint64_t wide_blocks = 1;
    int wide_vectors = 1;
  };
  [[nodiscard]] Variants make(Plain which, int wide_vectors);
  [[nodiscard]] std::uint64_t resident_blocks(const runtime::LoadedKernel& kernel) const;
  void launch(const Variants& variants, const void* in, void* out, std::uint64_t bytes, Stream stream) const;
  void launch(const runtime::LoadedKernel& kernel, std::uint64_t blocks, const void* in, void* out, std::uint64_t bytes,
              Stream stream) const;

  runtime::Engine& engine_;
  Variants copy_;
  Variants read_;
  Loaded empty_;
};

}  // namespace upsweep::bench
