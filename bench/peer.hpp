// Another library that computes the same problems, loaded at run time: CUB, built as libupsweep_cub.so.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/device.hpp"

namespace upsweep::bench {

class Peer {
 public:
  // From $UPSWEEP_CUB_PEER, else from bench/ beside the program; nullptr if there is none. Throws UsageError where the
  // variable names what cannot be loaded, or the file is no peer.
  [[nodiscard]] static std::shared_ptr<Peer> find();

  [[nodiscard]] std::string name() const;  // "CUB 3.0.1"
  // Bytes of temporary memory for n items; nothing if it was not built for the problem. Throws DeviceError.
  [[nodiscard]] std::optional<std::size_t> temporary_bytes(const Problem& problem, std::uint64_t n) const;
  // Adds the call to the stream. Throws DeviceError.
  void run(const Problem& problem, const void* in, void* out, std::uint64_t n, void* temporary, std::size_t bytes,
           runtime::Stream stream) const;

 private:
  void check(int result) const;
  explicit Peer(std::shared_ptr<void> library) : library_(std::move(library)) {}
  using Name = const char* (*)();
  // 0: done; 1: not built for this; else a cudaError_t. temporary nullptr: only sets the bytes.
  using Run = int (*)(const char* algorithm, const char* op, const char* type, const void* in, void* out,
                      std::uint64_t n, void* temporary, std::size_t* bytes, void* stream);
  std::shared_ptr<void> library_;
  Name name_ = nullptr;
  Run run_ = nullptr;
};

}  // namespace upsweep::bench
