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

#include "base/cancellation.hpp"
#include "generator/device_limits.hpp"
#include "runtime/host/host_kernel.hpp"
#include "runtime/host/random.hpp"
#include "runtime/host/run.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::size_t alignment = 256;  // bytes, as cudaMalloc gives
constexpr std::size_t spoiled_bytes = std::size_t{1} << 20;
constexpr int garbage = 0xa5;
constexpr std::size_t most_pending = 7;             // launches
constexpr int most_cluster_blocks = 16;             // as an H100 takes, 8 without asking
constexpr std::uint32_t most_resident_blocks = 32;  // of a cooperative launch, a multiprocessor

DeviceIdentity host_identity() {
  DeviceIdentity identity;
  identity.name = "host";
  identity.multiprocessors = 4;
  return identity;
}

// Gigabytes take seconds: between pieces the work can be cancelled.
template <typename Do>
void in_pieces(std::size_t bytes, const Do& piece) {
  constexpr std::size_t most = std::size_t{1} << 26;
  for (std::size_t at = 0; at < bytes; at += most) {
    if (at > 0) base::throw_if_cancelled();
    piece(at, std::min(most, bytes - at));
  }
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
  run_all_pending();
  for (const auto& [memory, bytes] : allocations_) std::free(memory);
}

void HostDevice::set_schedule(const HostSchedule& schedule) {
  run_all_pending();
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
    throw DeviceError(fmt::format("cannot launch {} blocks: use 1 to 2^31-1 blocks", launch.blocks));
  }
  if (launch.threads_per_block < 32 || launch.threads_per_block % 32 != 0 ||
      launch.threads_per_block > limits_.threads_per_block) {
    throw DeviceError(
        fmt::format("cannot launch {} threads per block: on the host device, use a multiple of 32 up to {}",
                    launch.threads_per_block, limits_.threads_per_block));
  }
  if (launch.shared_bytes < 0 || launch.shared_bytes > limits_.shared_bytes_per_block) {
    throw DeviceError(
        fmt::format("cannot launch with {} bytes of shared memory per block: the host device has {} bytes",
                    launch.shared_bytes, limits_.shared_bytes_per_block));
  }
  const int cluster = launch.cluster_blocks;
  if (cluster < 1 || cluster > most_cluster_blocks || (cluster & (cluster - 1)) != 0) {
    throw DeviceError(fmt::format("cannot launch clusters of {} blocks: on the host device, use a power of 2 up to {}",
                                  cluster, most_cluster_blocks));
  }
  if (launch.blocks % static_cast<std::uint64_t>(cluster) != 0) {
    throw DeviceError(fmt::format(
        "cannot launch {} blocks in clusters of {} blocks: the number of blocks must be a multiple of the cluster size",
        launch.blocks, cluster));
  }
  const std::uint64_t resident =
      std::uint64_t{most_resident_blocks} * static_cast<std::uint64_t>(limits_.multiprocessors);
  if (launch.cooperative && launch.blocks > resident) {
    throw DeviceError(
        fmt::format("cannot launch {} blocks that must all run at the same time: the host device can run {} at the "
                    "same time; use fewer, larger blocks",
                    launch.blocks, resident));
  }
}

std::uint64_t HostDevice::next_seed() {
  return HostRandom(schedule_.seed ^ HostRandom(launches_++).next()).next();
}

void HostDevice::launch(const Kernel& kernel, const Launch& launch, void** arguments, Stream stream) {
  const auto* const host_kernel = dynamic_cast<const HostKernel*>(&kernel);
  if (host_kernel == nullptr) throw DeviceError("the kernel was loaded on another device: load it on the host device");
  check(launch);
  HostLaunch asked(host_kernel->code(), arguments[0], launch);
  const std::shared_ptr<Lane> lane = lane_of(stream);
  const std::lock_guard in_turn(lane->turn);
  if (!schedule().overlap) {
    run_pending(*lane);
    return run({std::move(asked)});
  }
  if (!launch.dependent || lane->pending.size() >= most_pending) run_pending(*lane);
  lane->pending.push_back(asked.with_own_arguments());
}

void HostDevice::run(std::vector<HostLaunch> launches) {
  HostSchedule schedule;
  std::uint64_t seed = 0;
  {
    const std::lock_guard lock(mutex_);
    schedule = schedule_;
    seed = next_seed();
  }
  HostRun(std::move(launches), schedule, seed, stacks_).run();
}

void HostDevice::run_pending(Lane& lane) {
  if (lane.failure) std::rethrow_exception(std::exchange(lane.failure, nullptr));
  if (!lane.pending.empty()) run(std::exchange(lane.pending, {}));
}

// Whoever waits for a stream next gets its error.
void HostDevice::run_all_pending() noexcept {
  std::vector<std::shared_ptr<Lane>> lanes;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [stream, lane] : lanes_) lanes.push_back(lane);
  }
  for (const std::shared_ptr<Lane>& lane : lanes) {
    const std::lock_guard in_turn(lane->turn);
    if (lane->failure) continue;
    try {
      run_pending(*lane);
    } catch (...) {
      lane->failure = std::current_exception();
    }
  }
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
        fmt::format("the host device cannot allocate {} bytes: {} of {} bytes are free; use fewer items", bytes,
                    available, limits_.memory_bytes));
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
  run_all_pending();
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
  const std::shared_ptr<Lane> lane = lane_of(stream);
  const std::lock_guard in_turn(lane->turn);
  run_pending(*lane);
  in_pieces(bytes, [&](std::size_t at, std::size_t count) {
    std::memcpy(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at, count);
  });
}

void HostDevice::fill(void* memory, std::uint8_t byte, std::size_t bytes, Stream stream) {
  const std::shared_ptr<Lane> lane = lane_of(stream);
  const std::lock_guard in_turn(lane->turn);
  run_pending(*lane);
  in_pieces(bytes,
            [&](std::size_t at, std::size_t count) { std::memset(static_cast<std::byte*>(memory) + at, byte, count); });
}

void* HostDevice::allocate_zeroed(std::size_t bytes) {
  void* const memory = allocate(bytes);
  std::memset(memory, 0, bytes);
  return memory;
}

// ---- streams

std::shared_ptr<HostDevice::Lane> HostDevice::lane_of(Stream stream) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Lane>& lane = lanes_[stream.handle()];
  if (lane == nullptr) lane = std::make_shared<Lane>();
  return lane;
}

Stream HostDevice::create_stream() {
  const std::lock_guard lock(mutex_);
  return reinterpret_cast<CUstream_st*>(++streams_);
}

void HostDevice::destroy_stream(Stream stream) noexcept {
  run_all_pending();
  const std::lock_guard lock(mutex_);
  lanes_.erase(stream.handle());
}

void HostDevice::synchronize(Stream stream) {
  const std::shared_ptr<Lane> lane = lane_of(stream);
  const std::lock_guard in_turn(lane->turn);
  run_pending(*lane);
}

Device::StreamIdentity HostDevice::identify(Stream stream) {
  return {.stream = reinterpret_cast<std::uintptr_t>(stream.handle()), .capture = 0};
}

double HostDevice::elapsed_us(Stream /*stream*/, const std::function<void()>& work) {
  const auto before = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count();
}

}  // namespace upsweep::runtime
