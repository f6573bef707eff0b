#include "runtime/kernel_store.hpp"

#include <fmt/format.h>
#include <upsweep/device_info.hpp>
#include <upsweep/error.hpp>

namespace upsweep::runtime {

KernelStore::KernelStore(std::shared_ptr<Device> device, std::shared_ptr<Compiler> compiler, BinaryCache::Options cache)
    : device_(std::move(device)), compiler_(std::move(compiler)), cache_(std::move(cache)) {
  architecture_ = device_->target() == Target::host ? "host" : architecture_of(device_->identity());
}

bool KernelStore::holds(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return kernels_.contains(key);
}

void KernelStore::drop(const std::string& key) {
  const std::lock_guard lock(mutex_);
  kernels_.erase(key);
}

std::shared_ptr<const LoadedKernel> KernelStore::get(Source source) {
  const std::string key = source.key;
  std::promise<std::shared_ptr<const LoadedKernel>> promise;
  std::shared_future<std::shared_ptr<const LoadedKernel>> future;
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = kernels_.find(key); at != kernels_.end()) {
      future = at->second;
    } else {
      kernels_.emplace(key, promise.get_future().share());
    }
  }
  if (future.valid()) return future.get();
  try {
    std::shared_ptr<const LoadedKernel> kernel = make(std::move(source));
    promise.set_value(kernel);
    return kernel;
  } catch (...) {
    promise.set_exception(std::current_exception());  // those who wait see it; the next to ask tries again
    drop(key);
    throw;
  }
}

std::shared_ptr<const LoadedKernel> KernelStore::make(Source source) {
  auto loaded = std::make_shared<LoadedKernel>();
  const std::string identity =
      fmt::format("{} {} {} {}", source.key, architecture_, compiler_->version(), compiler_->options());
  if (const std::optional<Binary> binary = cache_.find(identity)) {
    try {
      loaded->kernel = device_->load(*binary, source.entry, source.launch);
      loaded->origin = Origin::disk;
      loaded->source = std::move(source);
      return loaded;
    } catch (const DeviceError&) {
      // A binary that no longer loads is as good as a miss; compiling it anew replaces it.
    }
  }
  const Compiled compiled = compiler_->compile(source, architecture_);
  loaded->kernel = device_->load(compiled.binary, source.entry, source.launch);
  loaded->compiler_log = compiled.log;
  cache_.store(identity, compiled.binary);
  loaded->source = std::move(source);
  return loaded;
}

}  // namespace upsweep::runtime
