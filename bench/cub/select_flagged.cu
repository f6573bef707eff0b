#include <initializer_list>

#include <cub/device/device_select.cuh>

#include "bench/cub/select.cuh"

namespace upsweep_peer {
namespace {

// Arrays: in, flags, out, count. Scalars: the threshold, of the type of the flags.
template <typename T, typename Comparison>
int flagged_with(const Call& call) {
  using Flag = std::uint8_t;
  const T* const in = input<T>(call, 0);
  const Flag* const flags = input<Flag>(call, 1);
  T* const out = output<T>(call, 2);
  std::uint64_t* const count = output<std::uint64_t>(call, 3);
  const Predicate<Flag, Comparison> keeps{scalar<Flag>(call, 0)};
  return with_count(call, [&](auto n) {
    return cub::DeviceSelect::FlaggedIf(call.temporary, *call.bytes, in, flags, out, count, n, keeps, stream_of(call));
  });
}

template <typename T>
int flagged(const Call& call) {
  if (is(call.op, "less")) return flagged_with<T, cuda::std::less<std::uint8_t>>(call);
  if (is(call.op, "greater")) return flagged_with<T, cuda::std::greater<std::uint8_t>>(call);
  if (is(call.op, "not_equal_to")) return flagged_with<T, cuda::std::not_equal_to<std::uint8_t>>(call);
  return not_built;
}

bool is_one_of(const char* name, std::initializer_list<const char*> others) {
  for (const char* other : others) {
    if (is(name, other)) return true;
  }
  return false;
}

}  // namespace

// Counts of u64 and flags of u8. Items are only passed on, so that types of one size share their instantiations.
int select_flagged(const Call& call) {
  if (!is(call.key, "u8") || !is(call.accumulator, "u64")) return not_built;
  if (is_one_of(call.type, {"i8", "u8"})) return flagged<std::uint8_t>(call);
  if (is_one_of(call.type, {"i16", "u16", "f16", "bf16"})) return flagged<std::uint16_t>(call);
  if (is_one_of(call.type, {"i32", "u32", "f32"})) return flagged<std::uint32_t>(call);
  if (is_one_of(call.type, {"i64", "u64", "f64", "c64"})) return flagged<std::uint64_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
