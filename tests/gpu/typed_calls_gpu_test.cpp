// Typed calls of selections and reductions by key on a GPU, captured into a graph after prepare(), against plain loops.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "runtime/context_engine.hpp"
#include "tests/gpu/gpu.hpp"

namespace upsweep {
namespace {

using test::ScopedStream;

// n items in device memory, and behind them room to begin off an aligned address.
template <typename T>
class OnGpu {
 public:
  OnGpu(runtime::Device& device, std::uint64_t n) : device_(device), memory_(device, (n + 1) * sizeof(T)) {}
  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.data()); }
  void set(const std::vector<T>& values, Stream stream) const {
    device_.copy_to_device(memory_.data(), values.data(), values.size() * sizeof(T), stream);
  }
  [[nodiscard]] std::vector<T> get(std::uint64_t items, Stream stream) const {
    std::vector<T> values(items);
    device_.copy_to_host(values.data(), memory_.data(), items * sizeof(T), stream);
    return values;
  }

 private:
  runtime::Device& device_;
  runtime::Buffer memory_;
};

struct TypedData {
  std::vector<float> items;
  std::vector<std::uint8_t> flags;
  std::vector<std::int16_t> keys;
};

TypedData typed_data(std::uint64_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  TypedData data;
  std::int16_t key = -3;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (random() % 8 == 0) key = static_cast<std::int16_t>(random());
    data.items.push_back(static_cast<float>(static_cast<int>(random() % 201) - 100));
    data.flags.push_back(static_cast<std::uint8_t>(random() % 3));
    data.keys.push_back(key);
  }
  return data;
}

// What lies in device memory of a context.
struct TypedArrays {
  TypedArrays(runtime::Device& device, std::uint64_t n)
      : items(device, n),
        below(device, n),
        set(device, n),
        limit(device, 1),
        flags(device, n),
        keys(device, n),
        unique(device, n),
        sums(device, n),
        kept(device, 1),
        counts(device, 2) {}
  OnGpu<float> items, below, set, limit;
  OnGpu<std::uint8_t> flags;
  OnGpu<std::int16_t> keys, unique;
  OnGpu<double> sums;
  OnGpu<std::uint32_t> kept;    // number of `below`
  OnGpu<std::uint64_t> counts;  // numbers of `set` and of `unique`
};

void expect_right(const TypedData& data, const TypedArrays& arrays, float limit, Stream stream) {
  std::vector<float> below, set;
  std::vector<std::int16_t> unique;
  std::vector<double> sums;
  for (std::size_t i = 0; i < data.items.size(); ++i) {
    if (data.items[i] < limit) below.push_back(data.items[i]);
    if (data.flags[i] != 0) set.push_back(data.items[i]);
    if (i == 0 || data.keys[i] != data.keys[i - 1]) {
      unique.push_back(data.keys[i]);
      sums.push_back(0);
    }
    sums.back() += static_cast<double>(data.items[i]);
  }
  EXPECT_EQ(arrays.kept.get(1, stream)[0], below.size());
  EXPECT_TRUE(arrays.below.get(below.size(), stream) == below);
  EXPECT_EQ(arrays.counts.get(2, stream), (std::vector<std::uint64_t>{set.size(), unique.size()}));
  EXPECT_TRUE(arrays.set.get(set.size(), stream) == set);
  EXPECT_TRUE(arrays.unique.get(unique.size(), stream) == unique);
  EXPECT_TRUE(arrays.sums.get(sums.size(), stream) == sums) << "sums of integers, which do not round";
}

TEST(GpuTypedCalls, AreCapturedAfterPrepareAndReplayed) {
  constexpr std::uint64_t n = 1'000'003;
  Context context({.device = test::gpu_device(), .database = "none"});
  runtime::Device& device = runtime::engine_of(context).device();
  const test::ScopedPrimaryContext current;
  const ScopedStream scoped(device);
  const Stream stream = scoped.get();
  const TypedArrays arrays(device, n);

  Problem sums = make_problem(Algorithm::reduce_by_key, plus, Type::f32, Type::f64, n);
  sums.key = Type::i16;
  context.prepare(make_problem(Algorithm::select_if, less, Type::f32, Type::u32, n),
                  Arguments(n)
                      .array("in", nullptr)
                      .array("out", nullptr)
                      .array("count", nullptr)
                      .scalar_in_memory("threshold", nullptr),
                  stream);
  context.prepare(make_problem(Algorithm::select_flagged, not_equal_to, Type::f32, Type::u64, n), stream);
  context.prepare(sums, stream);

  const test::Executable executable(stream, [&] {
    context.select_if(arrays.items.data(), arrays.below.data(), arrays.kept.data(), n, less,
                      in_memory(static_cast<const float*>(arrays.limit.data())), stream);
    context.select_flagged(arrays.items.data(), arrays.flags.data(), arrays.set.data(), arrays.counts.data(), n,
                           stream);
    context.reduce_by_key(arrays.keys.data(), arrays.items.data(), arrays.unique.data(), arrays.sums.data(),
                          arrays.counts.data() + 1, n, plus, stream);
    EXPECT_THROW(
        context.select_if(arrays.items.data(), arrays.below.data(), arrays.counts.data(), n, greater, 1, stream),
        DeviceError)
        << "nobody prepared it";
  });
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    const TypedData data = typed_data(n, seed);
    const float limit = static_cast<float>(seed) * 20 - 50;
    arrays.items.set(data.items, stream);
    arrays.flags.set(data.flags, stream);
    arrays.keys.set(data.keys, stream);
    arrays.limit.set({limit}, stream);
    ASSERT_NO_FATAL_FAILURE(executable.launch(stream));
    expect_right(data, arrays, limit, stream);
  }
}

TEST(GpuTypedCalls, TakeThePlaceOfTheirInputsAtAnyAlignment) {
  Context context({.device = test::gpu_device(), .database = "none"});
  runtime::Device& device = runtime::engine_of(context).device();
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 20, std::uint64_t{3'000'001}}) {
    SCOPED_TRACE(n);
    const TypedData data = typed_data(n + 1, 4);
    const TypedArrays arrays(device, n);
    arrays.items.set(data.items, nullptr);
    context.select_if(arrays.items.data() + 1, arrays.items.data() + 1, arrays.kept.data(), n, greater_equal, 7);
    std::vector<float> expected(data.items.begin(), data.items.begin() + 1);
    for (std::uint64_t i = 1; i <= n; ++i) {
      if (data.items[i] >= 7) expected.push_back(data.items[i]);
    }
    ASSERT_EQ(arrays.kept.get(1, nullptr)[0], expected.size() - 1);
    EXPECT_TRUE(arrays.items.get(expected.size(), nullptr) == expected);
  }
}

}  // namespace
}  // namespace upsweep
