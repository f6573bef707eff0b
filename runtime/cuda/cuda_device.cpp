#include "runtime/cuda/cuda_device.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/device_limits.hpp"
#include "runtime/cuda/cuda_kernel.hpp"
#include "runtime/cuda/scopes.hpp"
#include "runtime/cuda/streams.hpp"

namespace upsweep::runtime {
namespace {

const CudaKernel& cuda(const Kernel& kernel) {
  return static_cast<const CudaKernel&>(kernel);
}
CUdeviceptr address(const void* memory) {
  return reinterpret_cast<CUdeviceptr>(memory);
}

CUdevice device_of(const Driver& loaded, int ordinal) {
  int devices = 0;
  loaded.check(loaded.cuDeviceGetCount(&devices), "counting GPUs");
  if (ordinal < 0 || ordinal >= devices) {
    throw DeviceError(
        fmt::format("cuda:{} does not exist: {} GPUs are visible; `upsweep devices` lists them", ordinal, devices));
  }
  CUdevice device = 0;
  loaded.check(loaded.cuDeviceGet(&device, ordinal), fmt::format("opening cuda:{}", ordinal));
  return device;
}

}  // namespace

int CudaDevice::count() noexcept {
  try {
    int count = 0;
    driver().check(driver().cuDeviceGetCount(&count), "counting GPUs");
    return count;
  } catch (const DeviceError&) {
    return 0;
  }
}

std::optional<int> CudaDevice::current() noexcept {
  try {
    CUcontext context = nullptr;
    CUdevice device = 0;
    if (driver().cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr) return std::nullopt;
    if (driver().cuCtxGetDevice(&device) != CUDA_SUCCESS) return std::nullopt;
    return device;  // a CUdevice is its ordinal
  } catch (const DeviceError&) {
    return std::nullopt;
  }
}

std::shared_ptr<CudaDevice> CudaDevice::open(int ordinal) {
  const Driver& loaded = driver();
  return std::make_shared<CudaDevice>(loaded, device_of(loaded, ordinal), ordinal, std::nullopt);
}

std::shared_ptr<CudaDevice> CudaDevice::open(int ordinal, const Part& part) {
  const Driver& loaded = driver();
  return std::make_shared<CudaDevice>(loaded, device_of(loaded, ordinal), ordinal, part);
}

CudaDevice::CudaDevice(const Driver& driver, CUdevice device, int ordinal, const std::optional<Part>& part)
    : driver_(driver), device_(device), ordinal_(ordinal) {
  read_identity();
  read_limits();
  int version = 0;
  driver.check(driver.cuDriverGetVersion(&version), "reading the driver's version");
  graphs_keep_dependence_ = version >= 12030;  // CUDA 12.3: capture makes programmatic edges
  take_context(part);
}

CudaDevice::~CudaDevice() {
  if (hold_ || !events_->empty() || part_) {
    try {
      const Current current(driver_, context_);
      hold_.reset();
      events_.reset();
      part_.reset();
    } catch (const DeviceError&) {
      static_cast<void>(hold_.release());  // the context is gone, and what it held
      static_cast<void>(events_.release());
      static_cast<void>(part_.release());
    }
  }
  if (retained_) driver_.cuDevicePrimaryCtxRelease_v2(device_);
}

int CudaDevice::attribute(CUdevice_attribute which) const {
  int value = 0;
  driver_.check(driver_.cuDeviceGetAttribute(&value, which, device_), "reading an attribute of " + label());
  return value;
}

void CudaDevice::read_identity() {
  char name[256] = {};
  driver_.check(driver_.cuDeviceGetName(name, sizeof name, device_), "reading the name of " + label());
  identity_ = {.name = name,
               .compute_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
               .compute_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
               .multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
               .memory_bus_bits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
               .memory_clock_khz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
               .ecc = attribute(CU_DEVICE_ATTRIBUTE_ECC_ENABLED) != 0};
}

void CudaDevice::read_limits() {
  std::size_t memory = 0;
  driver_.check(driver_.cuDeviceTotalMem_v2(&memory, device_), "reading the memory size of " + label());
  limits_ = {.compute_capability = 10 * identity_.compute_major + identity_.compute_minor,
             .multiprocessors = identity_.multiprocessors,
             .threads_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
             .threads_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
             .blocks_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
             .blocks_per_cluster = blocks_per_cluster(10 * identity_.compute_major + identity_.compute_minor),
             .registers_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
             .shared_bytes_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
             .shared_bytes_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
             .l2_bytes = static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)),
             .memory_bytes = memory,
             .memory_gb_per_second = memory_gb_per_second(identity_)};
}

std::string CudaDevice::driver_version() const {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::smatch found;
  if (std::getline(file, line) && std::regex_search(line, found, std::regex(R"((\d+\.\d+(\.\d+)?))"))) return found[1];
  int version = 0;
  driver_.check(driver_.cuDriverGetVersion(&version), "reading the driver's version");
  return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

std::unique_ptr<Kernel> CudaDevice::load(std::span<const std::byte> binary, const std::string& entry,
                                         const LaunchRule& launch) {
  return std::make_unique<CudaKernel>(driver_, context_, binary, entry, launch);
}

KernelResources CudaDevice::resources(const Kernel& kernel, const Launch& launch) const {
  const Current current(driver_, context_);
  const auto read = [&](CUfunction_attribute which) {
    int value = 0;
    driver_.check(driver_.cuFuncGetAttribute(&value, which, cuda(kernel).function()), "reading a kernel's resources");
    return value;
  };
  KernelResources found{.registers_per_thread = read(CU_FUNC_ATTRIBUTE_NUM_REGS),
                        .static_shared_bytes = read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
                        .local_bytes_per_thread = read(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)};
  driver_.check(driver_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&found.resident_blocks_per_multiprocessor,
                                                                    cuda(kernel).function(), launch.threads_per_block,
                                                                    static_cast<std::size_t>(launch.shared_bytes)),
                "computing a kernel's occupancy");
  return found;
}

void CudaDevice::launch(const Kernel& kernel, const Launch& launch, void** arguments, Stream stream) {
  const Current current(driver_, context_);
  Launch possible = launch;
  if (launch.dependent && !graphs_keep_dependence_) possible.dependent = !captured_as(queue(stream)).has_value();
  cuda(kernel).launch(possible, arguments, queue(stream));
}

void* CudaDevice::allocate(std::size_t bytes) {
  const Current current(driver_, context_);
  const RelaxedCapture relaxed(driver_);
  CUdeviceptr memory = 0;
  const CUresult result = driver_.cuMemAlloc_v2(&memory, std::max<std::size_t>(bytes, 1));
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    std::size_t available = 0, total = 0;
    driver_.cuMemGetInfo_v2(&available, &total);
    throw OutOfDeviceMemory(
        fmt::format("{} cannot allocate {} bytes: {} of {} bytes are free; free device memory, or use fewer items",
                    label(), bytes, available, total));
  }
  driver_.check(result, fmt::format("allocating {} bytes on {}", bytes, label()));
  return reinterpret_cast<void*>(memory);
}

void CudaDevice::release(void* memory) noexcept {
  try {
    const Current current(driver_, context_);
    const RelaxedCapture relaxed(driver_);
    driver_.cuMemFree_v2(address(memory));
  } catch (const DeviceError&) {
    // The context is gone, and its memory with it.
  }
}

void CudaDevice::copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  const Current current(driver_, context_);
  driver_.check(driver_.cuMemcpyHtoDAsync_v2(address(to), from, bytes, queue(stream)), "copying to the device");
  driver_.check(driver_.cuStreamSynchronize(queue(stream)), "copying to the device");
}

void CudaDevice::copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  const Current current(driver_, context_);
  driver_.check(driver_.cuMemcpyDtoHAsync_v2(to, address(from), bytes, queue(stream)), "copying to the host");
  driver_.check(driver_.cuStreamSynchronize(queue(stream)), "copying to the host");
}

void CudaDevice::copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  const Current current(driver_, context_);
  driver_.check(driver_.cuMemcpyDtoDAsync_v2(address(to), address(from), bytes, queue(stream)),
                "copying on the device");
}

void CudaDevice::fill(void* memory, std::uint8_t byte, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  const Current current(driver_, context_);
  driver_.check(driver_.cuMemsetD8Async(address(memory), byte, bytes, queue(stream)), "filling device memory");
}

void* CudaDevice::allocate_zeroed(std::size_t bytes) {
  const Current current(driver_, context_);
  const RelaxedCapture relaxed(driver_);
  const Stream stream = create_stream();
  void* memory = nullptr;
  try {
    memory = allocate(bytes);
    fill(memory, 0, bytes, stream);
    synchronize(stream);
  } catch (...) {
    destroy_stream(stream);
    if (memory != nullptr) release(memory);
    throw;
  }
  destroy_stream(stream);
  return memory;
}

Stream CudaDevice::create_stream() {
  const Current current(driver_, context_);
  if (part_) {
    const std::lock_guard lock(green_mutex_);
    return part_->create_stream();
  }
  CUstream stream = nullptr;
  driver_.check(driver_.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a CUDA stream");
  return stream;
}

void CudaDevice::destroy_stream(Stream stream) noexcept {
  try {
    const Current current(driver_, context_);
    driver_.cuStreamDestroy_v2(stream_of(stream));
  } catch (const DeviceError&) {
    // The context is gone, and its streams with it.
  }
}

void CudaDevice::synchronize(Stream stream) {
  const Current current(driver_, context_);
  driver_.check(driver_.cuStreamSynchronize(queue(stream)), "waiting for a CUDA stream");
}

std::optional<std::uint64_t> CudaDevice::captured_as(CUstream stream) const {
  // The legacy default stream is never captured, and asking about it would disturb a capture on another stream.
  if (is_legacy(stream)) return std::nullopt;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t capture = 0;
  driver_.check(driver_.cuStreamGetCaptureInfo(stream, &status, &capture),
                "asking whether a CUDA stream is being captured");
  if (status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return std::nullopt;
  return capture;
}

Device::StreamIdentity CudaDevice::identify(Stream stream) {
  constexpr std::uint64_t legacy = ~std::uint64_t{0};
  if (is_legacy(queue(stream))) return {.stream = legacy, .capture = 0};
  const Current current(driver_, context_);
  StreamIdentity identity;
  if (const std::optional<std::uint64_t> capture = captured_as(queue(stream))) {
    // cuStreamGetId is forbidden now. No stream can be destroyed while it is captured: the handle will do.
    identity = {.stream = reinterpret_cast<std::uint64_t>(stream.handle()), .capture = *capture};
  } else {
    unsigned long long id = 0;
    driver_.check(driver_.cuStreamGetId(queue(stream), &id), "reading the id of a CUDA stream");
    identity.stream = id;
  }
  if (queue(stream) == CU_STREAM_PER_THREAD) {
    // One handle for a stream of each thread: told apart by the thread, in the half of the number that ids do not
    // reach.
    static std::atomic<std::uint64_t> threads{0};
    thread_local const std::uint64_t thread = ++threads;
    identity.stream |= thread << 40;
  }
  return identity;
}

ClockState CudaDevice::clocks() const {
  std::call_once(monitor_opened_, [this] {
    char bus_id[64] = {};
    if (driver_.cuDeviceGetPCIBusId(bus_id, sizeof bus_id, device_) == CUDA_SUCCESS) {
      monitor_ = ClockMonitor::open(bus_id);
    }
  });
  return monitor_ ? monitor_->read() : ClockState{};
}

}  // namespace upsweep::runtime
