// The twin of target/cuda.cuh for the host device: the same primitives as plain C++20. What a processor has no
// instruction for (the threads of a block, barriers, exchanges, memory order) is asked of the library, through a table
// of functions that is bound when the code is loaded.
#pragma once

#define __device__
#define __global__ __attribute__((visibility("default")))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;

struct alignas(16) u128 {
  u64 low, high;
};

constexpr int warp_size = 32;
constexpr u32 whole_warp = 0xffffffffu;

// ---- what the library does; the same declarations as in runtime/host/interface.hpp

constexpr u32 host_interface_version = 7;

enum class HostOrder : u32 { relaxed, acquire, release, acquire_release };

enum class HostShuffle : u32 { up, down, from };

struct HostPosition {
  u32 thread;
  u32 block;
  u32 blocks;
  u32 rank;
};

struct HostInterface {
  u32 version;
  u32 bytes;
  const HostPosition* (*position)();
  void (*block_barrier)();
  void (*warp_barrier)();
  void (*shuffle)(void* value, u32 bytes, HostShuffle kind, i32 argument);
  u32 (*ballot)(u32 predicate);
  void* (*static_shared)(u64 bytes);
  void* (*dynamic_shared)(u64 bytes);
  void (*load)(void* to, const void* from, u32 bytes, HostOrder order);
  void (*store)(void* to, const void* from, u32 bytes, HostOrder order);
  u32 (*add)(u32* to, u32 value, HostOrder order);
  u64 (*add_wide)(u64* to, u64 value);
  void (*begin_loads)(void (*load)(const void* what), const void* what, u32 bytes);
  void (*await_loads)();
  void (*barrier_before_stores)();
  void (*wait)(u32 nanoseconds);
  void (*fence)();
  void (*announce)();
  void (*await_previous)();
  void (*phase_init)(u64* barrier, u32 arrivals);
  void (*phase_arrive)(u64* barrier, u32 expected_bytes);
  void (*phase_wait)(u64* barrier, u32 parity);
  void (*async_copy)(void* to_shared, const void* from_global);
  void (*async_arrive)(u64* barrier);
  void (*bulk_fence)();
  void (*bulk_in)(void* to_shared, const void* from_global, u32 bytes, u64* barrier);
  void (*bulk_out)(void* to_global, const void* from_shared, u32 bytes);
  void (*bulk_commit)();
  void (*bulk_wait_read)(u32 pending);
  void (*arrive_at_cluster)();
  void (*wait_for_cluster)();
  void* (*shared_of_rank)(const void* own, u32 rank);
  void (*access)(const void* at, u64 bytes, u32 writes);
  void (*give_up)();
};

static const HostInterface* bound_host = nullptr;

// ---- where this thread stands

__device__ __forceinline__ int thread_index() {
  return int(bound_host->position()->thread);
}

__device__ __forceinline__ int lane_index() {
  return thread_index() % warp_size;
}

__device__ __forceinline__ int warp_index() {
  return thread_index() / warp_size;
}

__device__ __forceinline__ u32 block_index() {
  return bound_host->position()->block;
}

__device__ __forceinline__ u32 grid_size() {
  return bound_host->position()->blocks;
}

// ---- barriers

// All threads of the block arrive; what each wrote to shared or global memory before is seen by the others after.
__device__ __forceinline__ void block_barrier() {
  bound_host->block_barrier();
}

// The same for the 32 lanes of a warp.
__device__ __forceinline__ void warp_barrier() {
  bound_host->warp_barrier();
}

// block_barrier() behind which the block stores to where it or another block has loaded from.
__device__ __forceinline__ void barrier_before_stores() {
  bound_host->barrier_before_stores();
}

// ---- phase barriers in shared memory; sm_80

// Its phases are numbered from 0; a phase ends when `arrivals` threads have arrived and all the bytes that were
// announced for it have come in.
struct PhaseBarrier {
  u64 word;
};

// By one thread, once, before any other use.
__device__ __forceinline__ void init_barrier(PhaseBarrier* barrier, u32 arrivals) {
  bound_host->phase_init(&barrier->word, arrivals);
}

// What this thread wrote to shared memory before is seen by whoever waits for the phase to end.
__device__ __forceinline__ void arrive(PhaseBarrier* barrier) {
  bound_host->phase_arrive(&barrier->word, 0);
}

// Returns when the phase of that parity (its number modulo 2) has ended; the phase after it must not have.
__device__ __forceinline__ void poll_phase(PhaseBarrier* barrier, u32 parity) {
  bound_host->phase_wait(&barrier->word, parity);
}

// The same, asleep until something happens; sm_90.
__device__ __forceinline__ void wait_phase(PhaseBarrier* barrier, u32 parity) {
  bound_host->phase_wait(&barrier->word, parity);
}

// ---- asynchronous copies of 16 bytes from global to shared memory; sm_80

__device__ __forceinline__ void copy_async(void* to_shared, const void* from_global) {
  bound_host->async_copy(to_shared, from_global);
}

// Arrives at the barrier once all asynchronous copies that this thread began have come in.
__device__ __forceinline__ void arrive_when_copied(PhaseBarrier* barrier) {
  bound_host->async_arrive(&barrier->word);
}

// ---- bulk copies between global and shared memory; sm_90. Addresses and sizes are multiples of 16.

// Makes phase barriers that this thread has initialised known to bulk copies.
__device__ __forceinline__ void fence_barriers_for_bulk_copies() {
  bound_host->bulk_fence();
}

// Makes what this thread did before (barriers initialised, shared memory written or read) known to bulk copies that
// are begun later, by this thread or, beyond a barrier, by another.
__device__ __forceinline__ void fence_for_bulk_copies() {
  bound_host->bulk_fence();
}

// Orders bulk stores after what this thread knows of global memory: here they are never before it.
__device__ __forceinline__ void fence_for_bulk_stores() {}

// Arrives, and announces bytes that bulk loads will bring in.
__device__ __forceinline__ void arrive_expecting(PhaseBarrier* barrier, u32 bytes) {
  bound_host->phase_arrive(&barrier->word, bytes);
}

// Copies to shared memory; the bytes count for the barrier's phase, which must have been told to expect them.
__device__ __forceinline__ void bulk_load(void* to_shared, const void* from_global, u32 bytes, PhaseBarrier* barrier) {
  bound_host->bulk_in(to_shared, from_global, bytes, &barrier->word);
}

// The same, with data that is read but once.
__device__ __forceinline__ void bulk_load_once(void* to_shared, const void* from_global, u32 bytes,
                                               PhaseBarrier* barrier) {
  bound_host->bulk_in(to_shared, from_global, bytes, &barrier->word);
}

// Asks for data to be brought to the L2 cache, which the host device has not.
__device__ __forceinline__ void bulk_prefetch(const void*, u32) {}

// Copies to global memory, in the group of bulk stores that this thread has open.
__device__ __forceinline__ void bulk_store(void* to_global, const void* from_shared, u32 bytes) {
  bound_host->bulk_out(to_global, from_shared, bytes);
}

// The same, with data that is not read again soon.
__device__ __forceinline__ void bulk_store_once(void* to_global, const void* from_shared, u32 bytes) {
  bound_host->bulk_out(to_global, from_shared, bytes);
}

// Closes this thread's open group of bulk stores.
__device__ __forceinline__ void commit_bulk_stores() {
  bound_host->bulk_commit();
}

// Returns when all groups of this thread but the last `pending` have read their shared memory, which may then be
// written again.
template <int pending>
__device__ __forceinline__ void wait_bulk_stores_read() {
  bound_host->bulk_wait_read(pending);
}

// ---- the kernels before and after in the stream; sm_90

// Once a thread of each block has called it or ended, the next kernel's blocks may start.
__device__ __forceinline__ void let_next_kernel_start() {
  bound_host->announce();
}

// Returns when all blocks of the kernel before have ended; what they wrote is seen.
__device__ __forceinline__ void wait_for_previous_kernel() {
  bound_host->await_previous();
}

// ---- clusters: neighbouring blocks that run at the same time and see each other's shared memory; sm_90

// This block's place in its cluster.
__device__ __forceinline__ u32 cluster_rank() {
  return bound_host->position()->rank;
}

// All threads of the cluster arrive, then wait; what each wrote to any shared memory before arriving is seen by the
// others after waiting. Between the two a thread may do something else.
__device__ __forceinline__ void cluster_arrive() {
  bound_host->arrive_at_cluster();
}

__device__ __forceinline__ void cluster_wait() {
  bound_host->wait_for_cluster();
}

// The same object in the shared memory of another block of the cluster.
template <typename T>
__device__ __forceinline__ T* remote_shared(T* own, u32 rank) {
  return static_cast<T*>(bound_host->shared_of_rank(own, rank));
}

// ---- exchange within a warp; all 32 lanes call

// The bits of a value as 32-bit words, for exchanges that move words.
template <typename T>
union Words {
  T value;
  u32 word[(sizeof(T) + 3) / 4];
};

// The value of the lane `distance` below; lanes below `distance` get their own.
template <typename T>
__device__ __forceinline__ T shuffle_up(T value, int distance) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::up, distance);
  return value;
}

// The value of the lane `distance` above; the highest lanes get their own.
template <typename T>
__device__ __forceinline__ T shuffle_down(T value, int distance) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::down, distance);
  return value;
}

// The value of lane `source`.
template <typename T>
__device__ __forceinline__ T shuffle(T value, int source) {
  bound_host->shuffle(&value, sizeof(T), HostShuffle::from, source);
  return value;
}

// Bit i is lane i's predicate.
__device__ __forceinline__ u32 warp_ballot(bool predicate) {
  return bound_host->ballot(predicate);
}

// ---- bits

// Position of the highest set bit, -1 for none.
__device__ __forceinline__ int highest_bit(u32 bits) {
  return bits == 0 ? -1 : 31 - __builtin_clz(bits);
}

// The lower word of two after a shift to the right by up to 31 bits.
__device__ __forceinline__ u32 shift_right(u32 low, u32 high, u32 bits) {
  return u32((u64(high) << 32 | low) >> bits);
}

// ---- shared memory

// The block's static shared memory, seen as one T. One call site a kernel.
template <typename T>
__device__ __forceinline__ T& static_shared() {
  return *static_cast<T*>(bound_host->static_shared(sizeof(T)));
}

// The block's dynamic shared memory, seen as one T: for more than 48 KiB.
template <typename T>
__device__ __forceinline__ T& dynamic_shared() {
  return *static_cast<T*>(bound_host->dynamic_shared(sizeof(T)));
}

// ---- global memory between blocks, device scope; words of 32, 64 or (relaxed only) 128 bits

__device__ __forceinline__ u32 load_relaxed(const u32* from) {
  u32 word;
  bound_host->load(&word, from, sizeof(word), HostOrder::relaxed);
  return word;
}

__device__ __forceinline__ u64 load_relaxed(const u64* from) {
  u64 word;
  bound_host->load(&word, from, sizeof(word), HostOrder::relaxed);
  return word;
}

__device__ __forceinline__ u128 load_relaxed(const u128* from) {
  u128 word;
  bound_host->load(&word, from, sizeof(word), HostOrder::relaxed);
  return word;
}

__device__ __forceinline__ void store_relaxed(u32* to, u32 word) {
  bound_host->store(to, &word, sizeof(word), HostOrder::relaxed);
}

__device__ __forceinline__ void store_relaxed(u64* to, u64 word) {
  bound_host->store(to, &word, sizeof(word), HostOrder::relaxed);
}

__device__ __forceinline__ void store_relaxed(u128* to, u128 word) {
  bound_host->store(to, &word, sizeof(word), HostOrder::relaxed);
}

__device__ __forceinline__ u32 load_acquire(const u32* from) {
  u32 word;
  bound_host->load(&word, from, sizeof(word), HostOrder::acquire);
  return word;
}

// What this thread wrote before, and what it knows of others' writes through a barrier, is seen by whoever acquires.
__device__ __forceinline__ void store_release(u32* to, u32 word) {
  bound_host->store(to, &word, sizeof(word), HostOrder::release);
}

// Returns the value before.
__device__ __forceinline__ u32 add_relaxed(u32* to, u32 value) {
  return bound_host->add(to, value, HostOrder::relaxed);
}

__device__ __forceinline__ u64 add_relaxed(u64* to, u64 value) {
  return bound_host->add_wide(to, value);
}

// Releases what came before and acquires what earlier adders released. Returns the value before.
__device__ __forceinline__ u32 add_acquire_release(u32* to, u32 value) {
  return bound_host->add(to, value, HostOrder::acquire_release);
}

// What this thread did to global memory before has happened for all others before what it does after.
__device__ __forceinline__ void fence_device() {
  bound_host->fence();
}

// Calls `load`, which reads global memory into registers: now or later, up to await_loads at the latest.
template <typename Load>
__device__ __forceinline__ void begin_loads(const Load& load) {
  bound_host->begin_loads([](const void* what) { (*static_cast<const Load*>(what))(); }, &load, sizeof(load));
}

// Before what this thread began to load is used.
__device__ __forceinline__ void await_loads() {
  bound_host->await_loads();
}

// Lets others run while this thread waits for a word to change.
__device__ __forceinline__ void wait_nanoseconds(u32 nanoseconds) {
  bound_host->wait(nanoseconds);
}

// Ends the launch with an error. What the kernel has written stays.
__device__ __forceinline__ void abort_kernel() {
  bound_host->give_up();
}

// ---- vectors

// 2, 4, 8 or 16 bytes moved by one instruction.
template <int bytes>
struct Vector;
template <>
struct Vector<2> {
  u16 half;
};
template <>
struct Vector<4> {
  u32 word;
};
template <>
struct alignas(8) Vector<8> {
  u32 word[2];
};
template <>
struct alignas(16) Vector<16> {
  u32 word[4];
};

// Stores what is not read again soon.
__device__ __forceinline__ void store_once(Vector<16>* to, const Vector<16>& vector) {
  *to = vector;
}

template <int bytes>
__device__ __forceinline__ bool is_aligned(const void* pointer) {
  return reinterpret_cast<u64>(pointer) % bytes == 0;
}

// ---- bytes

// Of the bytes 0 to 3 of `low` and 4 to 7 of `high`, those that the four hexadecimal digits name, the last digit first.
__device__ __forceinline__ u32 pick_bytes(u32 low, u32 high, u32 selector) {
  u32 picked = 0;
  for (int i = 0; i < 4; ++i) picked |= u32((u64(high) << 32 | low) >> (selector >> 4 * i & 7u) * 8 & 0xffu) << 8 * i;
  return picked;
}

// Adds the four bytes of a word to a sum.
__device__ __forceinline__ u32 add_bytes(u32 word, u32 sum, u8) {
  return sum + (word & 0xffu) + (word >> 8 & 0xffu) + (word >> 16 & 0xffu) + (word >> 24);
}

__device__ __forceinline__ u32 add_bytes(u32 word, u32 sum, i8) {
  for (int i = 0; i < 4; ++i) sum += u32(i32(i8(word >> 8 * i)));
  return sum;
}

// The lesser and the greater of what the halves of two words hold, for bytes in their upper bytes or whole halves.
template <typename Half>
u32 select_halves(u32 a, u32 b, bool greater) {
  u32 selected = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    const Half x = Half(a >> shift), y = Half(b >> shift);
    selected |= u32(u16((x > y) == greater ? x : y)) << shift;
  }
  return selected;
}

template <typename Item>
u32 minimum_halves(u32 a, u32 b, Item) {
  return Item(-1) > Item(0) ? select_halves<u16>(a, b, false) : select_halves<i16>(a, b, false);
}

template <typename Item>
u32 maximum_halves(u32 a, u32 b, Item) {
  return Item(-1) > Item(0) ? select_halves<u16>(a, b, true) : select_halves<i16>(a, b, true);
}

// ---- stores

// Writes a value to shared memory where the condition holds.
template <typename T>
__device__ __forceinline__ void store_shared_if(bool condition, T* to_shared, const T& value) {
  if (condition) *to_shared = value;
}
