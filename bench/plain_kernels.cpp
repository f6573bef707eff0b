#include "bench/plain_kernels.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "generator/arguments.hpp"
#include "generator/assemble.hpp"
#include "runtime/argument_bytes.hpp"

namespace upsweep::bench {
namespace {

// What all have in common; vectors_per_thread and threads_per_block stand above it, and Arguments between its parts.
constexpr const char* types = R"cuda(#include "target/cuda.cuh"

using Input = u8;

using Output = u8;

using Accumulator = u64;
)cuda";

constexpr const char* common = R"cuda(
constexpr int tile_vectors = threads_per_block * vectors_per_thread;

// The vectors of 16 bytes that this thread holds at a time, a block's width apart: neighbouring lanes read neighbouring
// vectors, and all reads are under way before the first is waited for.
struct Held {
  Vector<16> vector[vectors_per_thread];
};

__device__ __forceinline__ Held load_tile(const Vector<16>* from) {
  Held held;
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) held.vector[v] = from[v * threads_per_block + thread_index()];
  return held;
}

// Of the last tile: vectors behind the end are zero.
__device__ __forceinline__ Held load_tile(const Vector<16>* from, u64 vectors) {
  Held held = {};
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    const u64 at = v * threads_per_block + thread_index();
    if (at < vectors) held.vector[v] = from[at];
  }
  return held;
}
)cuda";

constexpr const char* copy_body = R"cuda(
__device__ __forceinline__ void store_tile(Vector<16>* to, const Held& held) {
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) to[v * threads_per_block + thread_index()] = held.vector[v];
}

__device__ __forceinline__ void store_tile(Vector<16>* to, const Held& held, u64 vectors) {
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
    const u64 at = v * threads_per_block + thread_index();
    if (at < vectors) to[at] = held.vector[v];
  }
}

extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  Output* const out = arguments.out;
  const u64 bytes = arguments.n;
  const auto* from = reinterpret_cast<const Vector<16>*>(in);
  auto* to = reinterpret_cast<Vector<16>*>(out);
  const u64 vectors = bytes / 16;
  const u64 step = u64(grid_size()) * tile_vectors;
  u64 first = u64(block_index()) * tile_vectors;
  for (; first + tile_vectors <= vectors; first += step) {
    store_tile(to + first, load_tile(from + first));
  }
  if (first < vectors) store_tile(to + first, load_tile(from + first, vectors - first), vectors - first);
  const u64 left = vectors * 16 + thread_index();
  if (block_index() == 0 && left < bytes) out[left] = in[left];
}
)cuda";

constexpr const char* read_body = R"cuda(
__device__ __forceinline__ u32 fold(const Held& held) {
  u32 folded = 0;
#pragma unroll
  for (int v = 0; v < vectors_per_thread; ++v) {
#pragma unroll
    for (const u32 word : held.vector[v].word) folded ^= word;
  }
  return folded;
}

// The initial value has more than 32 bits, which the compiler does not know: all is read, and nothing written.
extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {
  const Input* const in = arguments.in;
  const u64 bytes = arguments.n;
  const auto* from = reinterpret_cast<const Vector<16>*>(in);
  const u64 vectors = bytes / 16;
  const u64 step = u64(grid_size()) * tile_vectors;
  u64 first = u64(block_index()) * tile_vectors;
  u32 folded = 0;
  for (; first + tile_vectors <= vectors; first += step) folded ^= fold(load_tile(from + first));
  if (first < vectors) folded ^= fold(load_tile(from + first, vectors - first));
  const u64 left = vectors * 16 + thread_index();
  if (block_index() == 0 && left < bytes) folded ^= in[left];
  if (folded == arguments.initial) *arguments.out = Output(folded);
}
)cuda";

constexpr const char* empty_body = R"cuda(
extern "C" __global__ void __launch_bounds__(threads_per_block)
    upsweep_kernel(const __grid_constant__ Arguments arguments) {}
)cuda";

// A vector in flight for each thread that fits is 4 MiB on an H200, about what its latency times its bandwidth asks
// for. Both hold several and still have at most 32 registers, with which all threads fit (sm_90: 30 for the copy; of
// the read's eight the compiler keeps five in flight).
constexpr int copy_vectors = 4;
constexpr int read_vectors = 8;

constexpr std::uint64_t never = std::uint64_t{1} << 32;

}  // namespace

Source plain_source(Plain which, int vectors_per_thread, Target target) {
  const char* const body = which == Plain::copy ? copy_body : which == Plain::read ? read_body : empty_body;
  Recipe recipe;
  recipe.kernel = "target/cuda.cuh";
  recipe.parameters = fmt::format("constexpr int threads_per_block = {};\n\nconstexpr int vectors_per_thread = {};\n\n",
                                  plain_threads_per_block, vectors_per_thread);
  Source source;
  const Problem problem = make_problem(Algorithm::reduce, plus, Type::u64, Type::u64);
  source.arguments = arguments_of(problem);
  recipe.parameters += types;
  recipe.parameters += arguments_definition(problem);
  recipe.parameters += common;
  recipe.parameters += body;
  source.text = assemble(recipe, target);
  source.entry = "upsweep_kernel";
  source.key = base::hash(source.text);
  source.launch.threads_per_block = plain_threads_per_block;
  return source;
}

PlainKernels::PlainKernels(runtime::Engine& engine)
    : engine_(engine),
      copy_(make(Plain::copy, copy_vectors)),
      read_(make(Plain::read, read_vectors)),
      empty_(engine.kernels().get(plain_source(Plain::empty, 1, engine.device().target()))) {}

PlainKernels::Variants PlainKernels::make(Plain which, int wide_vectors) {
  const Target target = engine_.device().target();
  Variants variants;
  variants.narrow = engine_.kernels().get(plain_source(which, 1, target));
  variants.wide = engine_.kernels().get(plain_source(which, wide_vectors, target));
  variants.narrow_blocks = resident_blocks(*variants.narrow);
  variants.wide_blocks = resident_blocks(*variants.wide);
  variants.wide_vectors = wide_vectors;
  return variants;
}

std::uint64_t PlainKernels::resident_blocks(const runtime::LoadedKernel& kernel) const {
  const runtime::Device& device = engine_.device();
  const int each = device.resources(*kernel.kernel, {.threads_per_block = plain_threads_per_block})
                       .resident_blocks_per_multiprocessor;
  return static_cast<std::uint64_t>(std::max(each, 1)) * std::max(device.limits().multiprocessors, 1);
}

void PlainKernels::launch(const Variants& variants, const void* in, void* out, std::uint64_t bytes,
                          Stream stream) const {
  const auto tiles = [&](int vectors_per_thread) {
    const std::uint64_t tile_bytes = std::uint64_t{16} * plain_threads_per_block * vectors_per_thread;
    return std::max<std::uint64_t>((bytes + tile_bytes - 1) / tile_bytes, 1);
  };
  // Where all fits at once with a vector a thread, spreading it over the most threads is quickest.
  if (tiles(1) <= variants.narrow_blocks) return launch(*variants.narrow, tiles(1), in, out, bytes, stream);
  launch(*variants.wide, std::min(tiles(variants.wide_vectors), variants.wide_blocks), in, out, bytes, stream);
}

void PlainKernels::launch(const runtime::LoadedKernel& kernel, std::uint64_t blocks, const void* in, void* out,
                          std::uint64_t bytes, Stream stream) const {
  const std::uint64_t initial = never;
  runtime::ArgumentBytes values(kernel.source.arguments, {.arrays = {in, out}, .n = bytes, .scalars = {&initial}},
                                nullptr);
  void* arguments[] = {values.data()};
  engine_.device().launch(*kernel.kernel, {.blocks = blocks, .threads_per_block = plain_threads_per_block}, arguments,
                          stream);
}

void PlainKernels::copy(const void* in, void* out, std::uint64_t bytes, Stream stream) const {
  launch(copy_, in, out, bytes, stream);
}

void PlainKernels::read(const void* in, void* sink, std::uint64_t bytes, Stream stream) const {
  launch(read_, in, sink, bytes, stream);
}

void PlainKernels::empty(const void* in, void* out, std::uint64_t n, Stream stream) const {
  launch(*empty_, 1, in, out, n, stream);
}

}  // namespace upsweep::bench
