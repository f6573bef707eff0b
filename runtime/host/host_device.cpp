#include "runtime/host/host_device.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/host/host_kernel.hpp"
#include "runtime/host/random.hpp"
#include "runtime/host/run.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::size_t alignment = 256;  // bytes, as cudaMalloc gives
constexpr std::size_t spoiled_bytes = std::size_t{1} << 20;
constexpr int garbage = 0xa5;
constexpr int most_cluster_blocks = 16;             // as an H100 takes, 8 without asking
constexpr std::uint32_t most_resident_blocks = 32;  // of a cooperative launch, a multiprocessor

DeviceIdentity host_identity() {
  DeviceIdentity identity;
  identity.name = "host";
  identity.multiprocessors = 4;
  return identity;
}

DeviceLimits host_limits() {
  DeviceLimits limits;
  limits.compute_capability = 90;  // whatever any device has
  limits.multiprocessors = 4;
  limits.shared_bytes_per_block = 227 * 1024;
  limits.shared_bytes_per_multiprocessor = 228 * 1024;
  return limits;
}

std::uint64_t machine_memory_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

HostDevice::HostDevice() : HostDevice(host_identity(), host_limits()) {}

HostDevice::HostDevice(DeviceIdentity identity, DeviceLimits limits) : identity_(std::move(identity)), limits_(limits) {
  if (limits_.memory_bytes == 0) limits_.memory_bytes = machine_memory_bytes();
}

HostDevice::~HostDevice() {
  for (const auto& [memory, bytes] : allocations_) std::free(memory);
}

void HostDevice::set_schedule(const HostSchedule& schedule) {
  const std::lock_guard lock(mutex_);
  schedule_ = schedule;
  launches_ = 0;
}

HostSchedule HostDevice::schedule() const {
  const std::lock_guard lock(mutex_);
  return schedule_;
}

// ---- kernels

std::unique_ptr<Kernel> HostDevice::load(std::span<const std::byte> binary, const std::string& entry,
                                         const LaunchRule& /*launch*/) {
  return std::make_unique<HostKernel>(binary, entry);
}

KernelResources HostDevice::resources(const Kernel& /*kernel*/, const Launch& /*launch*/) const {
  KernelResources resources;
  resources.resident_blocks_per_multiprocessor = 1;
  return resources;
}

void HostDevice::check(const Launch& launch) const {
  if (launch.blocks < 1 || launch.blocks > std::numeric_limits<std::int32_t>::max()) {
    throw DeviceError(fmt::format("cannot launch {} blocks: a launch has 1 to 2^31-1", launch.blocks));
  }
  if (launch.threads_per_block < 32 || launch.threads_per_block % 32 != 0 ||
      launch.threads_per_block > limits_.threads_per_block) {
    throw DeviceError(fmt::format("cannot launch {} threads per block: the host device takes multiples of 32 up to {}",
                                  launch.threads_per_block, limits_.threads_per_block));
  }
  if (launch.shared_bytes < 0 || launch.shared_bytes > limits_.shared_bytes_per_block) {
    throw DeviceError(fmt::format("cannot launch with {} bytes of shared memory per block: the host device has {}",
                                  launch.shared_bytes, limits_.shared_bytes_per_block));
  }
  const int cluster = launch.cluster_blocks;
  if (cluster < 1 || cluster > most_cluster_blocks || (cluster & (cluster - 1)) != 0) {
    throw DeviceError(fmt::format("cannot launch clusters of {} blocks: the host device takes powers of 2 up to {}",
                                  cluster, most_cluster_blocks));
  }
  if (launch.blocks % static_cast<std::uint64_t>(cluster) != 0) {
    throw DeviceError(fmt::format("cannot launch {} blocks in clusters of {}: the number of blocks must be a multiple",
                                  launch.blocks, cluster));
  }
  const std::uint64_t resident =
      std::uint64_t{most_resident_blocks} * static_cast<std::uint64_t>(limits_.multiprocessors);
  if (launch.cooperative && launch.blocks > resident) {
    throw DeviceError(
        fmt::format("cannot launch {} blocks that all run at the same time: the host device runs {}; "
                    "use fewer, larger blocks",
                    launch.blocks, resident));
  }
}

std::uint64_t HostDevice::next_seed() {
  return HostRandom(schedule_.seed ^ HostRandom(launches_++).next()).next();
}

void HostDevice::launch(const Kernel& kernel, const Launch& launch, void** arguments, Stream stream) {
  const auto* const host_kernel = dynamic_cast<const HostKernel*>(&kernel);
  if (host_kernel == nullptr) throw DeviceError("the kernel was not loaded on the host device: load it there");
  check(launch);
  HostSchedule schedule;
  std::uint64_t seed = 0;
  {
    const std::lock_guard lock(mutex_);
    schedule = schedule_;
    seed = next_seed();
  }
  const std::shared_ptr<std::mutex> turn = turn_of(stream);
  const std::lock_guard in_turn(*turn);
  HostRun(host_kernel->call(), arguments, launch, schedule, seed, stacks_).run();
}

// ---- memory

void* HostDevice::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t available = limits_.memory_bytes - std::min(allocated_, limits_.memory_bytes);
  void* memory = nullptr;
  if (bytes <= available) {
    memory = std::aligned_alloc(alignment, std::max<std::size_t>(1, (bytes + alignment - 1) / alignment) * alignment);
  }
  if (memory == nullptr) {
    throw OutOfDeviceMemory(
        fmt::format("no memory on the host device: asked for {} bytes, {} of {} are free; use fewer "
                    "items",
                    bytes, available, limits_.memory_bytes));
  }
  try {
    allocations_.emplace(memory, bytes);
  } catch (...) {
    std::free(memory);
    throw;
  }
  allocated_ += bytes;
  // Fresh memory is not zero on a GPU either: reading it unwritten shows here.
  std::memset(memory, garbage, std::min(bytes, spoiled_bytes));
  return memory;
}

void HostDevice::release(void* memory) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = allocations_.find(memory);
  if (found == allocations_.end()) return;
  allocated_ -= found->second;
  std::free(memory);
  allocations_.erase(found);
}

void HostDevice::copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  copy_on_device(to, from, bytes, stream);
}

void HostDevice::copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
  copy_on_device(to, from, bytes, stream);
}

void HostDevice::copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  const std::shared_ptr<std::mutex> turn = turn_of(stream);
  const std::lock_guard in_turn(*turn);
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void HostDevice::fill(void* memory, std::uint8_t byte, std::size_t bytes, Stream stream) {
  const std::shared_ptr<std::mutex> turn = turn_of(stream);
  const std::lock_guard in_turn(*turn);
  if (bytes > 0) std::memset(memory, byte, bytes);
}

void* HostDevice::allocate_zeroed(std::size_t bytes) {
  void* const memory = allocate(bytes);
  std::memset(memory, 0, bytes);
  return memory;
}

// ---- streams

std::shared_ptr<std::mutex> HostDevice::turn_of(Stream stream) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<std::mutex>& turn = turns_[stream];
  if (turn == nullptr) turn = std::make_shared<std::mutex>();
  return turn;
}

Stream HostDevice::create_stream() {
  const std::lock_guard lock(mutex_);
  return reinterpret_cast<Stream>(++streams_);
}

void HostDevice::destroy_stream(Stream stream) noexcept {
  const std::lock_guard lock(mutex_);
  turns_.erase(stream);
}

void HostDevice::synchronize(Stream stream) {
  const std::shared_ptr<std::mutex> turn = turn_of(stream);
  const std::lock_guard in_turn(*turn);
}

Device::StreamIdentity HostDevice::identify(Stream stream) {
  return {.stream = reinterpret_cast<std::uintptr_t>(stream), .capture = 0};
}

double HostDevice::elapsed_us(Stream /*stream*/, const std::function<void()>& work) {
  const auto before = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count();
}

}  // namespace upsweep::runtime
