#include "runtime/kernel_store.hpp"

#include <chrono>

#include <fmt/format.h>
#include <upsweep/device_info.hpp>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/logging.hpp"
#include "runtime/machine_code.hpp"

namespace upsweep::runtime {

std::string binary_identity(const Source& source, const std::string& architecture, const Compiler& compiler) {
  return fmt::format("{} {} {}", source.key, architecture, compiler.identity());
}

std::string architecture_for(const Device& device) {
  return device.target() == Target::host ? "host" : architecture_of(device.identity());
}

KernelStore::KernelStore(std::shared_ptr<Device> device, std::shared_ptr<Compiler> compiler, BinaryCache::Options cache)
    : device_(std::move(device)), compiler_(std::move(compiler)), cache_(std::move(cache)) {
  architecture_ = architecture_for(*device_);
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
  if (future.valid()) {
    try {
      return future.get();
    } catch (const base::Cancelled&) {
      base::throw_if_cancelled();
      return get(std::move(source));  // the one that was compiling it was cancelled, not this one
    }
  }
  try {
    std::shared_ptr<const LoadedKernel> kernel = make(std::move(source));
    promise.set_value(kernel);
    return kernel;
  } catch (...) {
    drop(key);  // the next to ask tries again
    promise.set_exception(std::current_exception());
    throw;
  }
}

LoadedSteps KernelStore::get(std::vector<Source> steps) {
  LoadedSteps loaded;
  for (Source& step : steps) loaded.push_back(get(std::move(step)));
  return loaded;
}

std::shared_ptr<const LoadedKernel> KernelStore::make(Source source) {
  auto loaded = std::make_shared<LoadedKernel>();
  const std::string identity = binary_identity(source, architecture_, *compiler_);
  if (const std::optional<Binary> binary = cache_.find(identity)) {
    try {
      loaded->kernel = device_->load(*binary, source.entry, source.launch);
      loaded->origin = Origin::disk;
      loaded->machine_code = hash_machine_code(*binary);
      loaded->source = std::move(source);
      log_debug("loaded kernel {} for {} from the cache", loaded->source.key, architecture_);
      return loaded;
    } catch (const DeviceError& error) {
      // A binary that no longer loads is as good as a miss; compiling it anew replaces it.
      log_info("the cached binary of kernel {} for {} cannot be loaded and is compiled again: {}", source.key,
               architecture_, error.what());
    }
  }
  const auto start = std::chrono::steady_clock::now();
  const Compiled compiled = compiler_->compile(source, architecture_);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  log_info("compiled kernel {} for {} in {:.0f} ms", source.key, architecture_, time.count());
  loaded->kernel = device_->load(compiled.binary, source.entry, source.launch);
  loaded->compiler_log = compiled.log;
  loaded->machine_code = hash_machine_code(compiled.binary);
  cache_.store(identity, compiled.binary);
  loaded->source = std::move(source);
  return loaded;
}

}  // namespace upsweep::runtime
