#include "bench/peer.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/environment.hpp"
#include "generator/accuracy.hpp"
#include "generator/operator.hpp"
#include "generator/shape.hpp"

namespace upsweep::bench {
namespace {

// A peer has one type for items, partial results and results. Only counts may have another type, and so may indices and
// lengths, which then have the type of the counts. A peer's sums are plain or
// reproducible.
bool may_ask(const Problem& problem) {
  if (is_compensated(problem) || problem.shape == Shape::axis) return false;
  const bool is_as_input = problem.output == problem.input, is_as_accumulator = problem.output == problem.accumulator;
  return entry_of(problem.op).is_predicate ? is_as_input || is_as_accumulator : is_as_input && is_as_accumulator;
}

// All but the arrays and scalars.
UpsweepPeerCall call_of(const Problem& problem, std::uint64_t n, void* temporary, std::size_t* bytes) {
  UpsweepPeerCall call{};
  call.algorithm = name(problem.algorithm).data();
  call.op = is_binned(problem) ? upsweep_peer_reproducible_plus : name(problem.op).data();
  call.type = name(problem.input).data();
  call.accumulator = name(problem.accumulator).data();
  call.key = problem.key ? name(*problem.key).data() : "";
  call.n = n;
  call.rows = rows_of(problem, n);
  call.row_length =
      problem.shape == Shape::segments ? std::max<std::uint64_t>(problem.row_length, 1) : problem.row_length;
  call.temporary = temporary;
  call.bytes = bytes;
  return call;
}

}  // namespace

std::shared_ptr<Peer> Peer::find() {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string beside = (program.parent_path().parent_path() / "bench" / "libupsweep_cub.so").string();
  const std::optional<std::string> named = base::environment("UPSWEEP_CUB_PEER");
  void* handle = dlopen(named.value_or(beside).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr && named) {
    throw UsageError(fmt::format("UPSWEEP_CUB_PEER names '{}', which cannot be loaded: {}", *named, dlerror()));
  }
  if (handle == nullptr) return nullptr;
  std::shared_ptr<Peer> peer(new Peer(std::shared_ptr<void>(handle, [](void* library) { dlclose(library); })));
  peer->name_ = reinterpret_cast<decltype(name_)>(dlsym(handle, "upsweep_peer_name"));
  peer->call_ = reinterpret_cast<decltype(call_)>(dlsym(handle, "upsweep_peer_call_2"));
  if (peer->name_ == nullptr || peer->call_ == nullptr) {
    throw UsageError(fmt::format("'{}' is not a CUB library for `upsweep bench`: build it with -DUPSWEEP_CUB=ON",
                                 named.value_or(beside)));
  }
  return peer;
}

std::string Peer::name() const {
  return name_();
}

std::optional<std::size_t> Peer::temporary_bytes(const Problem& problem, std::uint64_t n) const {
  if (!may_ask(problem) || has_pitch(problem)) return std::nullopt;
  std::size_t bytes = 0;
  const UpsweepPeerCall call = call_of(problem, n, nullptr, &bytes);
  const int result = call_(&call);
  if (result == upsweep_peer_not_built) return std::nullopt;
  check(result);
  return std::max<std::size_t>(bytes, 1);
}

void Peer::run(const Problem& problem, const runtime::CallValues& values, void* temporary, std::size_t bytes,
               runtime::Stream stream) const {
  UpsweepPeerCall call = call_of(problem, values.n, temporary, &bytes);
  call.arrays = values.arrays.data();
  call.scalars = values.scalars.data();
  call.stream = stream.handle();
  const int result = call_(&call);
  if (result == upsweep_peer_not_built) {
    throw UsageError(fmt::format("{} was not built for {}: ask temporary_bytes first", name(), to_string(problem)));
  }
  check(result);
}

void Peer::check(int result) const {
  if (result != 0) throw DeviceError(fmt::format("{} failed with CUDA error {}", name(), result));
}

}  // namespace upsweep::bench
