// A value type and an operator of one's own: where the greatest value is (argmax), and a running argmax.
// Prints the device and the position of the greatest value. The struct and the operator are given to upsweep as source
// text, and written a second time in C++, with which the program checks the results.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <vector>

#include "device_array.hpp"

namespace {

struct alignas(8) Entry {
  float value;
  std::uint32_t index;
};

// The greater value; of equal values the first.
Entry greater(Entry a, Entry b) {
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

upsweep::Problem argmax(upsweep::Algorithm algorithm, std::uint64_t n) {
  const upsweep::Type entry = upsweep::define_type(
      {.name = "Entry",
       .size = sizeof(Entry),
       .alignment = alignof(Entry),
       .fields = {{upsweep::Type::f32, offsetof(Entry, value)}, {upsweep::Type::u32, offsetof(Entry, index)}},
       .text = R"(
struct alignas(8) Entry {
  float value;
  u32 index;
};)"});
  const Entry none{-std::numeric_limits<float>::infinity(), ~0u};
  const upsweep::Operator greatest = upsweep::define_operator({.name = "greatest",
                                                               .type = entry,
                                                               .commutative = true,
                                                               .exact = true,
                                                               .identity = upsweep::Scalar::of(entry, none),
                                                               .test_data = upsweep::TestData::rising,
                                                               .text = R"(
__device__ Entry greatest(Entry a, Entry b) {
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
})"});
  return upsweep::make_problem(algorithm, greatest, entry, entry, n);
}

}  // namespace

int main() try {
  upsweep::Context context;
  std::printf("device: %s\n", context.device().c_str());

  const std::size_t n = is_gpu(context) ? 10'000'000 : 10'000;
  std::vector<Entry> entries(n);
  std::uint32_t state = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    state = state * 1664525 + 1013904223;
    entries[i] = {static_cast<float>(state >> 12), i};
  }
  DeviceArray<Entry> in(context, n), running(context, n), total(context, 1);
  in.copy_from(entries);

  context.plan(argmax(upsweep::Algorithm::inclusive_scan, n)).run(in.data(), running.data(), n);
  context.plan(argmax(upsweep::Algorithm::reduce, n)).run(in.data(), total.data(), n);

  const std::vector<Entry> results = running.values();
  Entry expected = entries[0];
  for (std::size_t i = 0; i < n; ++i) {
    expected = greater(expected, entries[i]);
    if (results[i].value != expected.value || results[i].index != expected.index) {
      std::fprintf(stderr, "item %zu is wrong\n", i);
      return 1;
    }
  }
  const Entry greatest = total.values()[0];
  std::printf("the greatest value is %.0f, item %u\n", static_cast<double>(greatest.value), greatest.index);
  return greatest.index == expected.index ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
