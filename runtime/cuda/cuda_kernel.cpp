#include "runtime/cuda/cuda_kernel.hpp"

#include <array>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/cuda/scopes.hpp"

namespace upsweep::runtime {
namespace {

// What a launch asks for beyond a grid, for cuLaunchKernelEx.
class Attributes {
 public:
  explicit Attributes(const Launch& launch) {
    if (launch.cluster_blocks > 1) {
      add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim = {static_cast<unsigned>(launch.cluster_blocks), 1, 1};
    }
    if (launch.cooperative) add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
    if (launch.dependent) {
      add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
    }
  }
  [[nodiscard]] CUlaunchAttribute* data() { return list_.data(); }
  [[nodiscard]] unsigned size() const { return size_; }

 private:
  CUlaunchAttributeValue& add(CUlaunchAttributeID id) {
    list_[size_].id = id;
    return list_[size_++].value;
  }
  std::array<CUlaunchAttribute, 3> list_;  // but for what is added, never read: not worth clearing on each launch
  unsigned size_ = 0;
};

bool is_plain(const Launch& launch) {
  return launch.cluster_blocks <= 1 && !launch.cooperative && !launch.dependent;
}

[[noreturn]] void refuse_blocks(std::uint64_t blocks) {
  throw UsageError(fmt::format("a launch cannot have {} blocks: use a config with larger tiles", blocks));
}

[[noreturn]] void refuse_cooperative(const Launch& launch) {
  throw DeviceError(
      fmt::format("a cooperative launch of {} blocks of {} threads with {} bytes of shared memory does not fit on the "
                  "device: use a config with order=ticket",
                  launch.blocks, launch.threads_per_block, launch.shared_bytes));
}

}  // namespace

CudaKernel::CudaKernel(const Driver& driver, CUcontext context, std::span<const std::byte> binary,
                       const std::string& entry, const LaunchRule& launch)
    : driver_(driver), context_(context) {
  const Current current(driver, context);
  const RelaxedCapture relaxed(driver);
  driver.check(driver.cuModuleLoadData(&module_, binary.data()), "loading a compiled kernel");
  try {
    driver.check(driver.cuModuleGetFunction(&function_, module_, entry.c_str()),
                 "looking up " + entry + " in a compiled kernel");
    permit(launch);
  } catch (...) {
    driver.cuModuleUnload(module_);
    throw;
  }
}

CudaKernel::~CudaKernel() {
  try {
    const Current current(driver_, context_);
    const RelaxedCapture relaxed(driver_);
    driver_.cuModuleUnload(module_);
  } catch (const DeviceError&) {
    // The context is gone, and the module with it.
  }
}

void CudaKernel::permit(const LaunchRule& launch) {
  constexpr int portable_cluster_blocks = 8;  // what every device with clusters can run (cuFuncSetAttribute)
  if (launch.shared_bytes > 0) {
    driver_.check(
        driver_.cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, launch.shared_bytes),
        fmt::format("allowing {} bytes of shared memory per block", launch.shared_bytes));
  }
  if (launch.cluster_blocks > portable_cluster_blocks) {
    driver_.check(driver_.cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
                  fmt::format("allowing clusters of {} blocks", launch.cluster_blocks));
  }
}

void CudaKernel::launch(const Launch& launch, void** arguments, CUstream stream) const {
  constexpr std::uint64_t most_blocks = 0x7fffffff;
  if (launch.blocks > most_blocks) refuse_blocks(launch.blocks);
  const CUresult result =
      is_plain(launch) ? driver_.cuLaunchKernel(function_, static_cast<unsigned>(launch.blocks), 1, 1,
                                                static_cast<unsigned>(launch.threads_per_block), 1, 1,
                                                static_cast<unsigned>(launch.shared_bytes), stream, arguments, nullptr)
                       : launch_extended(launch, arguments, stream);
  if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) refuse_cooperative(launch);
  driver_.check(result, "launching a kernel");
}

CUresult CudaKernel::launch_extended(const Launch& launch, void** arguments, CUstream stream) const {
  Attributes attributes(launch);
  const CUlaunchConfig config{.gridDimX = static_cast<unsigned>(launch.blocks),
                              .gridDimY = 1,
                              .gridDimZ = 1,
                              .blockDimX = static_cast<unsigned>(launch.threads_per_block),
                              .blockDimY = 1,
                              .blockDimZ = 1,
                              .sharedMemBytes = static_cast<unsigned>(launch.shared_bytes),
                              .hStream = stream,
                              .attrs = attributes.data(),
                              .numAttrs = attributes.size()};
  return driver_.cuLaunchKernelEx(&config, function_, arguments, nullptr);
}

}  // namespace upsweep::runtime
