// Another library that computes the same problems, loaded at run time: CUB, built as libupsweep_cub.so.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <upsweep/problem.hpp>

#include "bench/cub/interface.hpp"
#include "runtime/argument_bytes.hpp"
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
  // Adds the call to the stream. Its scalars lie on the host. Throws UsageError if it was not built for the problem,
  // and DeviceError.
  void run(const Problem& problem, const runtime::CallValues& values, void* temporary, std::size_t bytes,
           runtime::Stream stream) const;

 private:
  explicit Peer(std::shared_ptr<void> library) : library_(std::move(library)) {}
  void check(int result) const;
  std::shared_ptr<void> library_;
  decltype(&upsweep_peer_name) name_ = nullptr;
  decltype(&upsweep_peer_call_2) call_ = nullptr;
};

}  // namespace upsweep::bench
