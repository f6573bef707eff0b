// Kernels by key: compiled once however many threads ask, kept in memory, and on disk across processes.
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/cache/binary_cache.hpp"
#include "runtime/compiler.hpp"
#include "runtime/device.hpp"

namespace upsweep::runtime {

// Where a kernel's binary came from, for people who ask.
enum class Origin { compiled, disk };

struct LoadedKernel {
  Source source;
  std::unique_ptr<Kernel> kernel;
  Origin origin = Origin::compiled;
  std::string compiler_log;  // empty if it came from disk
  std::string machine_code;  // hash_machine_code of the binary
};

// Of all steps of a plan, in the order of their launches; at least one.
using LoadedSteps = std::vector<std::shared_ptr<const LoadedKernel>>;

// What a binary is stored under in a cache: all that it depends on.
[[nodiscard]] std::string binary_identity(const Source& source, const std::string& architecture,
                                          const Compiler& compiler);
// What kernels for the device are compiled for: "sm_90", or "host".
[[nodiscard]] std::string architecture_for(const Device& device);

class KernelStore {
 public:
  KernelStore(std::shared_ptr<Device> device, std::shared_ptr<Compiler> compiler, BinaryCache::Options cache);

  // Compiles, or waits for the thread that does. Throws CompilerError or DeviceError; a failure is not remembered.
  [[nodiscard]] std::shared_ptr<const LoadedKernel> get(Source source);
  [[nodiscard]] LoadedSteps get(std::vector<Source> steps);
  // Whether `get` would have to compile or load.
  [[nodiscard]] bool holds(const std::string& key) const;
  // Frees the kernel's memory once the last plan that uses it is gone. The tuner drops the candidates that lost.
  void drop(const std::string& key);

 private:
  [[nodiscard]] std::shared_ptr<const LoadedKernel> make(Source source);

  std::shared_ptr<Device> device_;
  std::shared_ptr<Compiler> compiler_;
  BinaryCache cache_;
  std::string architecture_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_future<std::shared_ptr<const LoadedKernel>>> kernels_;
};

}  // namespace upsweep::runtime
