#include "runtime/host/host_kernel.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>
#include <upsweep/error.hpp>

#include "base/file_handle.hpp"

namespace upsweep::runtime {
namespace {

// The last bytes of a binary.
struct Seal {
  std::array<char, 8> magic{'u', 'p', 's', 'w', 'h', 'o', 's', 't'};
  std::uint64_t hash = 0;
};

Seal seal_of(std::span<const std::byte> library) {
  Seal seal;
  seal.hash = XXH3_64bits(library.data(), library.size());
  return seal;
}

// The library without its seal.
std::span<const std::byte> opened(std::span<const std::byte> binary) {
  if (binary.size() > sizeof(Seal)) {
    const std::span<const std::byte> library = binary.first(binary.size() - sizeof(Seal));
    const Seal expected = seal_of(library);
    if (std::memcmp(&expected, library.data() + library.size(), sizeof(Seal)) == 0) return library;
  }
  throw DeviceError(
      fmt::format("the binary of {} bytes is damaged or was not made for the host device: compile the kernel again",
                  binary.size()));
}

class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::byte> content) : file_(::memfd_create("upsweep", MFD_CLOEXEC)) {
    if (file_ && base::write_all(file_.get(), content)) return;
    throw DeviceError(fmt::format("cannot create a memory file for loading a kernel: {}", base::error_text(errno)));
  }

  // A path that was never used before: the loader takes a path that it knows for the library that it has loaded from
  // there, and descriptors are used again. Slashes and dots spell a number.
  [[nodiscard]] std::string path() const {
    static std::atomic<std::uint64_t> loads{0};
    std::string path = "/proc/self/fd";
    for (std::uint64_t number = ++loads; number > 0; number >>= 1) path += (number & 1) != 0 ? "/." : "/";
    return fmt::format("{}/{}", path, file_.get());
  }

 private:
  base::FileHandle file_;
};

}  // namespace

void seal_host_binary(Binary& library) {
  const Seal seal = seal_of(library);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&seal);
  library.insert(library.end(), bytes, bytes + sizeof(Seal));
}

HostKernel::HostKernel(std::span<const std::byte> binary, const std::string& entry) {
  const MemoryFile file(opened(binary));
  void* const library = ::dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw DeviceError(fmt::format("the host device cannot load a binary: {}", ::dlerror()));
  code_.library = std::shared_ptr<void>(library, ::dlclose);
  bind(entry);
}

void HostKernel::bind(const std::string& entry) {
  static_cast<void>(symbol(entry));
  const auto bind_library = reinterpret_cast<HostBind>(symbol("upsweep_host_bind"));
  const std::uint32_t version = bind_library(&host_interface());
  if (version != host_interface_version) {
    throw DeviceError(fmt::format(
        "the binary was made for version {} of the host interface, but this is version {}: compile the kernel again",
        version, host_interface_version));
  }
  code_.call = reinterpret_cast<HostCall>(symbol("upsweep_host_call"));
  code_.watched = ::dlsym(code_.library.get(), "upsweep_host_watched") != nullptr;
  code_.argument_bytes = reinterpret_cast<HostArgumentBytes>(symbol("upsweep_host_argument_bytes"))();
}

void* HostKernel::symbol(const std::string& name) const {
  void* const found = ::dlsym(code_.library.get(), name.c_str());
  if (found == nullptr) {
    throw DeviceError(fmt::format("the binary has no symbol {}: generate the source for the host device", name));
  }
  return found;
}

}  // namespace upsweep::runtime
