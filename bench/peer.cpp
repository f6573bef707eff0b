#include "bench/peer.hpp"

#include <dlfcn.h>

#include <filesystem>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/environment.hpp"

namespace upsweep::bench {
namespace {

constexpr int not_built = 1;

}  // namespace

std::shared_ptr<Peer> Peer::find() {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string beside = (program.parent_path().parent_path() / "bench" / "libupsweep_cub.so").string();
  const std::optional<std::string> named = runtime::environment("UPSWEEP_CUB_PEER");
  void* handle = dlopen(named.value_or(beside).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr && named) {
    throw UsageError(fmt::format("UPSWEEP_CUB_PEER names '{}', which cannot be loaded: {}", *named, dlerror()));
  }
  if (handle == nullptr) return nullptr;
  std::shared_ptr<Peer> peer(new Peer(std::shared_ptr<void>(handle, [](void* library) { dlclose(library); })));
  peer->name_ = reinterpret_cast<Name>(dlsym(handle, "upsweep_peer_name"));
  peer->run_ = reinterpret_cast<Run>(dlsym(handle, "upsweep_peer_run"));
  if (peer->name_ == nullptr || peer->run_ == nullptr) {
    throw UsageError(fmt::format("'{}' is not a CUB library for `upsweep bench`: build it with -DUPSWEEP_CUB=ON",
                                 named.value_or(beside)));
  }
  return peer;
}

std::string Peer::name() const {
  return name_();
}

std::optional<std::size_t> Peer::temporary_bytes(const Problem& problem, std::uint64_t n) const {
  if (problem.accumulator != problem.input || problem.output != problem.input) return std::nullopt;
  std::size_t bytes = 0;
  const int result = run_(upsweep::name(problem.algorithm).data(), upsweep::name(problem.op).data(),
                          upsweep::name(problem.input).data(), nullptr, nullptr, n, nullptr, &bytes, nullptr);
  if (result == not_built) return std::nullopt;
  check(result);
  return std::max<std::size_t>(bytes, 1);
}

void Peer::run(const Problem& problem, const void* in, void* out, std::uint64_t n, void* temporary, std::size_t bytes,
               runtime::Stream stream) const {
  const int result = run_(upsweep::name(problem.algorithm).data(), upsweep::name(problem.op).data(),
                          upsweep::name(problem.input).data(), in, out, n, temporary, &bytes, stream.handle());
  check(result);
}

void Peer::check(int result) const {
  if (result != 0) throw DeviceError(fmt::format("{} failed with CUDA error {}", name(), result));
}

}  // namespace upsweep::bench
