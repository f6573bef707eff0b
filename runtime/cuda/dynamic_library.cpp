#include "runtime/cuda/dynamic_library.hpp"

#include <dlfcn.h>

namespace upsweep::runtime {

std::shared_ptr<DynamicLibrary> DynamicLibrary::open(const std::vector<std::string>& candidates, std::string& reason) {
  for (const std::string& candidate : candidates) {
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      return std::shared_ptr<DynamicLibrary>(new DynamicLibrary(handle, candidate));
    }
  }
  reason = "looked for ";
  for (const std::string& candidate : candidates) reason += (&candidate == &candidates.front() ? "" : ", ") + candidate;
  return nullptr;
}

DynamicLibrary::~DynamicLibrary() {
  dlclose(handle_);
}

void* DynamicLibrary::symbol(const char* name) const noexcept {
  return dlsym(handle_, name);
}

}  // namespace upsweep::runtime
