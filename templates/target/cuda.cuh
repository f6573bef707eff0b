// Everything that touches the machine: thread indices, shuffles, barriers, memory order, conversions. The only template
// with inline PTX. Its twin, target/host.cuh, gives the same primitives on the CPU.
#pragma once

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

// ---- where this thread stands

__device__ __forceinline__ int thread_index() {
  return threadIdx.x;
}

__device__ __forceinline__ int lane_index() {
  return threadIdx.x % warp_size;
}

__device__ __forceinline__ int warp_index() {
  return threadIdx.x / warp_size;
}

__device__ __forceinline__ u32 block_index() {
  return blockIdx.x;
}

__device__ __forceinline__ u32 grid_size() {
  return gridDim.x;
}

// ---- barriers

// All threads of the block arrive; what each wrote to shared or global memory before is seen by the others after.
__device__ __forceinline__ void block_barrier() {
  __syncthreads();
}

// The same for the 32 lanes of a warp.
__device__ __forceinline__ void warp_barrier() {
  __syncwarp();
}

// block_barrier() behind which the block stores to where it or another block has loaded from.
__device__ __forceinline__ void barrier_before_stores() {
  block_barrier();
}

// Address within the block's shared memory, for instructions that take nothing else.
__device__ __forceinline__ u32 shared_address(const void* pointer) {
  return u32(__cvta_generic_to_shared(pointer));
}

// ---- phase barriers in shared memory (PTX: mbarrier); sm_80

// Its phases are numbered from 0; a phase ends when `arrivals` threads have arrived and all the bytes that were
// announced for it have come in.
struct PhaseBarrier {
  u64 word;
};

// By one thread, once, before any other use.
__device__ __forceinline__ void init_barrier(PhaseBarrier* barrier, u32 arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

// What this thread wrote to shared memory before is seen by whoever waits for the phase to end.
__device__ __forceinline__ void arrive(PhaseBarrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Returns when the phase of that parity (its number modulo 2) has ended; the phase after it must not have.
__device__ __forceinline__ void poll_phase(PhaseBarrier* barrier, u32 parity) {
  u32 ended;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(ended)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
  } while (ended == 0);
}

// The same, asleep until something happens; sm_90.
__device__ __forceinline__ void wait_phase(PhaseBarrier* barrier, u32 parity) {
  u32 ended;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(ended)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
  } while (ended == 0);
}

// ---- asynchronous copies of 16 bytes from global to shared memory (PTX: cp.async); sm_80

__device__ __forceinline__ void copy_async(void* to_shared, const void* from_global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to_shared)), "l"(from_global)
               : "memory");
}

// Arrives at the barrier once all asynchronous copies that this thread began have come in.
__device__ __forceinline__ void arrive_when_copied(PhaseBarrier* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// ---- bulk copies between global and shared memory (PTX: cp.async.bulk); sm_90. Addresses and sizes are multiples
// of 16.

// Makes phase barriers that this thread has initialised known to bulk copies.
__device__ __forceinline__ void fence_barriers_for_bulk_copies() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Makes what this thread did to shared memory known to bulk copies that are begun later, by this thread or, beyond a
// barrier, by another.
__device__ __forceinline__ void fence_for_bulk_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Orders bulk stores that this thread begins later after what it knows of global memory, through fences and barriers:
// these order the accesses of threads, and bulk copies only beyond a proxy fence (PTX ISA, "Async proxy").
__device__ __forceinline__ void fence_for_bulk_stores() {
  asm volatile("fence.proxy.async.global;" ::: "memory");
}

// Arrives, and announces bytes that bulk loads will bring in.
__device__ __forceinline__ void arrive_expecting(PhaseBarrier* barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}

// Copies to shared memory; the bytes count for the barrier's phase, which must have been told to expect them.
__device__ __forceinline__ void bulk_load(void* to_shared, const void* from_global, u32 bytes, PhaseBarrier* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to_shared)),
               "l"(from_global), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}

// The same, with data that is read but once: first to be evicted from the L2 cache.
__device__ __forceinline__ void bulk_load_once(void* to_shared, const void* from_global, u32 bytes,
                                               PhaseBarrier* barrier) {
  asm volatile(
      "{\n.reg .b64 policy;\ncreatepolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], "
      "policy;\n}" ::"r"(shared_address(to_shared)),
      "l"(from_global), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// Asks for data to be brought to the L2 cache.
__device__ __forceinline__ void bulk_prefetch(const void* from_global, u32 bytes) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from_global), "r"(bytes) : "memory");
}

// Copies to global memory, in the group of bulk stores that this thread has open.
__device__ __forceinline__ void bulk_store(void* to_global, const void* from_shared, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to_global),
               "r"(shared_address(from_shared)), "r"(bytes)
               : "memory");
}

// The same, with data that is not read again soon: first to be evicted from the L2 cache.
__device__ __forceinline__ void bulk_store_once(void* to_global, const void* from_shared, u32 bytes) {
  asm volatile(
      "{\n.reg .b64 policy;\ncreatepolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, policy;\n}" ::"l"(to_global),
      "r"(shared_address(from_shared)), "r"(bytes)
      : "memory");
}

// Closes this thread's open group of bulk stores.
__device__ __forceinline__ void commit_bulk_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Returns when all groups of this thread but the last `pending` have read their shared memory, which may then be
// written again.
template <int pending>
__device__ __forceinline__ void wait_bulk_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

// ---- the kernels before and after in the stream (PTX: griddepcontrol); sm_90

// The next kernel of the stream may be started once all blocks have called this, if it was launched so.
__device__ __forceinline__ void let_next_kernel_start() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// Returns when the kernels before are done and what they wrote is seen. Nothing global may be touched before.
__device__ __forceinline__ void wait_for_previous_kernel() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

// ---- clusters: neighbouring blocks that run at the same time and see each other's shared memory; sm_90

// This block's place in its cluster.
__device__ __forceinline__ u32 cluster_rank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// All threads of the cluster arrive, then wait; what each wrote to any shared memory before arriving is seen by the
// others after waiting. Between the two a thread may do something else.
__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The same object in the shared memory of another block of the cluster.
template <typename T>
__device__ __forceinline__ T* remote_shared(T* own, u32 rank) {
  u64 address;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(own), "r"(rank));
  return reinterpret_cast<T*>(address);
}

// ---- exchange within a warp; all 32 lanes call

// The bits of a value as 32-bit words, for exchanges that move words.
template <typename T>
union Words {
  static constexpr int count = (sizeof(T) + 3) / 4;
  T value;
  u32 word[count];
};

// The value of the lane `distance` below; lanes below `distance` get their own.
template <typename T>
__device__ __forceinline__ T shuffle_up(T value, int distance) {
  Words<T> words;
  words.value = value;
#pragma unroll
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_up_sync(whole_warp, words.word[i], distance);
  return words.value;
}

// The value of the lane `distance` above; the highest lanes get their own.
template <typename T>
__device__ __forceinline__ T shuffle_down(T value, int distance) {
  Words<T> words;
  words.value = value;
#pragma unroll
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_down_sync(whole_warp, words.word[i], distance);
  return words.value;
}

// The value of lane `source`.
template <typename T>
__device__ __forceinline__ T shuffle(T value, int source) {
  Words<T> words;
  words.value = value;
#pragma unroll
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_sync(whole_warp, words.word[i], source);
  return words.value;
}

// Bit i is lane i's predicate.
__device__ __forceinline__ u32 warp_ballot(bool predicate) {
  return __ballot_sync(whole_warp, predicate);
}

// ---- bits

// Position of the highest set bit, -1 for none.
__device__ __forceinline__ int highest_bit(u32 bits) {
  return 31 - __clz(bits);
}

// The lower word of two after a shift to the right by up to 31 bits.
__device__ __forceinline__ u32 shift_right(u32 low, u32 high, u32 bits) {
  return __funnelshift_r(low, high, bits);
}

// ---- shared memory

// The block's static shared memory, seen as one T. One call site a kernel.
template <typename T>
__device__ __forceinline__ T& static_shared() {
  __shared__ __align__(alignof(T) > 16 ? alignof(T) : 16) unsigned char bytes[sizeof(T)];
  return *reinterpret_cast<T*>(bytes);
}

// The block's dynamic shared memory, seen as one T: for more than 48 KiB.
template <typename T>
__device__ __forceinline__ T& dynamic_shared() {
  extern __shared__ __align__(128) unsigned char dynamic_bytes[];
  return *reinterpret_cast<T*>(dynamic_bytes);
}

// ---- global memory between blocks, device scope; words of 32, 64 or (relaxed only) 128 bits

__device__ __forceinline__ u32 load_relaxed(const u32* from) {
  u32 word;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
}

__device__ __forceinline__ u64 load_relaxed(const u64* from) {
  u64 word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}

__device__ __forceinline__ u128 load_relaxed(const u128* from) {
  u128 word;
  asm volatile("{\n.reg .b128 t;\nld.relaxed.gpu.global.b128 t, [%2];\nmov.b128 {%0, %1}, t;\n}"
               : "=l"(word.low), "=l"(word.high)
               : "l"(from)
               : "memory");
  return word;
}

__device__ __forceinline__ void store_relaxed(u32* to, u32 word) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
}

__device__ __forceinline__ void store_relaxed(u64* to, u64 word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

__device__ __forceinline__ void store_relaxed(u128* to, u128 word) {
  asm volatile("{\n.reg .b128 t;\nmov.b128 t, {%1, %2};\nst.relaxed.gpu.global.b128 [%0], t;\n}" ::"l"(to),
               "l"(word.low), "l"(word.high)
               : "memory");
}

__device__ __forceinline__ u32 load_acquire(const u32* from) {
  u32 word;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
}

// What this thread wrote before, and what it knows of others' writes through a barrier, is seen by whoever acquires.
__device__ __forceinline__ void store_release(u32* to, u32 word) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
}

// Returns the value before.
__device__ __forceinline__ u32 add_relaxed(u32* to, u32 value) {
  u32 before;
  asm volatile("atom.add.relaxed.gpu.global.u32 %0, [%1], %2;" : "=r"(before) : "l"(to), "r"(value) : "memory");
  return before;
}

__device__ __forceinline__ u64 add_relaxed(u64* to, u64 value) {
  u64 before;
  asm volatile("atom.add.relaxed.gpu.global.u64 %0, [%1], %2;" : "=l"(before) : "l"(to), "l"(value) : "memory");
  return before;
}

// Releases what came before and acquires what earlier adders released. Returns the value before.
__device__ __forceinline__ u32 add_acquire_release(u32* to, u32 value) {
  u32 before;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;" : "=r"(before) : "l"(to), "r"(value) : "memory");
  return before;
}

// What this thread did to global memory before has happened for all others before what it does after.
__device__ __forceinline__ void fence_device() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

// Calls `load`, which reads global memory into registers. The host device may put it off up to await_loads.
template <typename Load>
__device__ __forceinline__ void begin_loads(const Load& load) {
  load();
}

__device__ __forceinline__ void await_loads() {}

// Lets others run while this thread waits for a word to change: about that many nanoseconds.
__device__ __forceinline__ void wait_nanoseconds(u32 nanoseconds) {
  __nanosleep(nanoseconds);
}

// Ends the launch with an error; the CUDA context is lost. What the kernel has written stays.
__device__ __forceinline__ void abort_kernel() {
  asm volatile("trap;");
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

// Stores what is not read again soon: first to be evicted from the L2 cache; sm_80.
__device__ __forceinline__ void store_once(Vector<16>* to, const Vector<16>& vector) {
  asm volatile(
      "{\n.reg .b64 policy;\ncreatepolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, policy;\n}" ::"l"(to),
      "r"(vector.word[0]), "r"(vector.word[1]), "r"(vector.word[2]), "r"(vector.word[3])
      : "memory");
}

template <int bytes>
__device__ __forceinline__ bool is_aligned(const void* pointer) {
  return reinterpret_cast<u64>(pointer) % bytes == 0;
}

// ---- bytes

// Of the bytes 0 to 3 of `low` and 4 to 7 of `high`, those that the four hexadecimal digits name, the last digit first.
__device__ __forceinline__ u32 pick_bytes(u32 low, u32 high, u32 selector) {
  return __byte_perm(low, high, selector);
}

// Adds the four bytes of a word to a sum.
__device__ __forceinline__ u32 add_bytes(u32 word, u32 sum, u8) {
  return __dp4a(word, 0x01010101u, sum);
}

__device__ __forceinline__ u32 add_bytes(u32 word, u32 sum, i8) {
  return u32(__dp4a(i32(word), 0x01010101, i32(sum)));
}

// The lesser and the greater of what the halves of two words hold, for bytes in their upper bytes or whole halves. One
// instruction each from sm_90 on.
__device__ __forceinline__ u32 minimum_halves(u32 a, u32 b, u8) {
  return __vminu2(a, b);
}

__device__ __forceinline__ u32 minimum_halves(u32 a, u32 b, u16) {
  return __vminu2(a, b);
}

__device__ __forceinline__ u32 minimum_halves(u32 a, u32 b, i8) {
  return __vmins2(a, b);
}

__device__ __forceinline__ u32 minimum_halves(u32 a, u32 b, i16) {
  return __vmins2(a, b);
}

__device__ __forceinline__ u32 maximum_halves(u32 a, u32 b, u8) {
  return __vmaxu2(a, b);
}

__device__ __forceinline__ u32 maximum_halves(u32 a, u32 b, u16) {
  return __vmaxu2(a, b);
}

__device__ __forceinline__ u32 maximum_halves(u32 a, u32 b, i8) {
  return __vmaxs2(a, b);
}

__device__ __forceinline__ u32 maximum_halves(u32 a, u32 b, i16) {
  return __vmaxs2(a, b);
}

// ---- stores

// Writes a value to shared memory where the condition holds; one of 4, 8 or 16 bytes without a branch.
template <typename T>
__device__ __forceinline__ void store_shared_if(bool condition, T* to_shared, const T& value) {
  if (sizeof(T) < 4 && condition) *to_shared = value;
  const Words<T> words{value};
  const u32 yes = condition, at = shared_address(to_shared), low = words.word[0];
  if (sizeof(T) == 4) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.u32 [%1], %2;}" ::"r"(yes), "r"(at), "r"(low)
                 : "memory");
  }
  for (int i = 0; i + 1 < words.count; i += 2) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.v2.u32 [%1], {%2, %3};}" ::"r"(yes),
                 "r"(at + i * 4), "r"(words.word[i]), "r"(words.word[i + 1])
                 : "memory");
  }
}
