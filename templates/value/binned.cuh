// A reproducible sum, in bins (Demmel and Nguyen, "Fast Reproducible Floating-Point Summation", 2013; Ahrens, Demmel
// and Nguyen, "Algorithms for Efficient Reproducible Floating Point Summation", 2020): each item is cut at fixed binary
// places, and each bin adds up its slices of all items. Only the highest bins are kept, as seen from the largest item.
// Here bins are integers, so that nothing rounds: the sum is a function of the items, whatever their order.
#pragma once

#include "target/cuda.cuh"
#include "target/cuda/rounding.cuh"
#include "value/binned_rounding.cuh"

// Items are multiples of 2^first_exponent, and their magnitudes are below 2^end_exponent. The unit of the lowest bin is
// 2^(first_exponent + rank * width). The rank is the lowest one that has each magnitude below half a unit of the bin
// that would be above the highest one: such an item has no slice there, so that the rank can rise later.
template <typename Part, int bins, int first_exponent, int end_exponent>
struct Binned {
  using Format = BinnedPart<Part>;
  using Bits = typename Format::Bits;
  static constexpr int width = Format::width;
  static constexpr int needed = (end_exponent - first_exponent + width) / width - bins;
  static constexpr u32 last_rank = needed > 0 ? needed : 0;
  static constexpr u32 rank_mask = 0xffff, has_nan = 1u << 31, has_infinity = 1u << 30, has_minus_infinity = 1u << 29;
  static constexpr bool is_wide = Format::is_wide;

  // Each bin is an integer of 64 bits, or of 96 where it is wide. The highest bin comes first.
  u64 low[bins];
  i32 high[is_wide ? bins : 1];
  u32 state;  // the rank, and which of infinity, -infinity and NaN was among the items

  Binned() = default;

  // One number: an item, or the initial value.
  template <typename Number>
  __device__ __forceinline__ Binned(Number number) : Binned(empty()) {
    const Part item[1] = {Part(number)};
    add(item);
  }

  __device__ __forceinline__ static Binned empty() {
    Binned sum;
#pragma unroll
    for (int b = 0; b < bins; ++b) {
      sum.low[b] = 0;
      sum.high[is_wide ? b : 0] = 0;
    }
    sum.state = 0;
    return sum;
  }

  __device__ __forceinline__ u32 rank() const { return last_rank == 0 ? 0 : state & rank_mask; }

  // Adds up to 256 items.
  template <typename Item, int count>
  __device__ __forceinline__ void add(const Item (&items)[count]) {
    static_assert(count <= 256, "the slices of so many items have room in the bits of one number");
    if (largest_magnitude(items) >= limit_of(rank())) raise_for(items);
    add_slices(items);
  }

  // The same sum with at least that rank: of the lowest bins, nothing is kept.
  __device__ __forceinline__ void raise(u32 to) {
    if (last_rank == 0 || rank() >= to) return;
    const u32 steps = to - rank();
#pragma unroll 1
    for (u32 step = 0; step < steps && step < bins; ++step) {
#pragma unroll
      for (int b = bins - 1; b >= 0; --b) {
        low[b] = b > 0 ? low[b - 1] : 0;
        if (is_wide) high[b] = b > 0 ? high[b - 1] : 0;
      }
    }
    state += steps;
  }

  __device__ __forceinline__ void add_to_bin(int b, u64 of_low, i32 of_high) {
    low[b] += of_low;
    if (is_wide) high[b] += of_high + (low[b] < of_low ? 1 : 0);
  }

  // The sum, rounded to nearest even. A zero is +0.
  __device__ __forceinline__ operator Part() const {
    const bool is_infinite = (state & has_infinity) != 0, is_minus_infinite = (state & has_minus_infinity) != 0;
    if ((state & has_nan) != 0 || (is_infinite && is_minus_infinite)) return part_of_bits(Format::nan);
    if (is_infinite || is_minus_infinite)
      return part_of_bits(Format::infinity | Bits(is_minus_infinite) << Format::sign);
    Digits<width*(bins - 1) + (is_wide ? 96 : 64)> digits;
#pragma unroll
    for (int b = 0; b < bins; ++b) {
      digits.add(low[b], is_wide ? high[b] : i32(i64(low[b]) >> 63), width * (bins - 1 - b));
    }
    return digits.template rounded<Part>(first_exponent + int(rank()) * width);
  }

 private:
  // Magnitudes are compared by the upper 32 bits of numbers.
  static constexpr u32 infinite = Format::exponents << Format::upper_width;

  __device__ __forceinline__ static u32 magnitude_of(Part item) { return upper_bits(item) & 0x7fffffffu; }

  // The largest bits as unsigned integers are of the largest negative number, if there is one, and the largest bits as
  // signed integers are of the largest positive number. Items of 16 bits are compared two at a time.
  template <typename Item, int count>
  __device__ __forceinline__ static u32 largest_magnitude(const Item (&items)[count]) {
    if (sizeof(Item) == 2 && count % 2 == 0) return largest_of_pairs(items);
    u32 largest_unsigned = 0;
    i32 largest_signed = 0;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const u32 bits = upper_bits(Part(items[i]));
      largest_unsigned = bits > largest_unsigned ? bits : largest_unsigned;
      largest_signed = i32(bits) > largest_signed ? i32(bits) : largest_signed;
    }
    const u32 negative = largest_unsigned & 0x7fffffffu;
    return negative > u32(largest_signed) ? negative : u32(largest_signed);
  }

  template <typename Item, int count>
  __device__ __forceinline__ static u32 largest_of_pairs(const Item (&items)[count]) {
    constexpr int in_word = sizeof(Item) == 2 ? 2 : 1;
    union {
      u32 word;
      Item item[in_word];
    } pair;
    u32 largest_unsigned = 0, largest_signed = 0;
#pragma unroll
    for (int i = 0; i + 1 < count; i += 2) {
      pair.item[0] = items[i];
      pair.item[in_word - 1] = items[i + 1];
      largest_unsigned = maximum_16x2(largest_unsigned, pair.word, u16());
      largest_signed = maximum_16x2(largest_signed, pair.word, i16());
    }
    const u32 both = maximum_16x2(largest_unsigned & 0x7fff7fffu, largest_signed, u16());
    const u32 lower = both & 0xffffu, upper = both >> 16;
    pair.word = lower > upper ? lower : upper;
    return magnitude_of(Part(pair.item[0]));
  }

  // The magnitudes that the rank has room for are below this one; infinity is not.
  __device__ __forceinline__ static u32 limit_of(u32 rank) {
    const u32 limit = Format::bias + first_exponent + (rank + bins) * width - 1;
    return (limit < Format::exponents ? limit : Format::exponents) << Format::upper_width;
  }

  // The lowest rank that has room for a finite number.
  __device__ __forceinline__ static u32 rank_for(u32 magnitude) {
    const int excess = int(magnitude >> Format::upper_width) + 2 - Format::bias - first_exponent - bins * width;
    return excess > 0 ? (excess + width - 1) / width : 0;
  }

  // Makes room for items that have none. Those that are not finite are noted.
  template <typename Item, int count>
  __device__ __forceinline__ void raise_for(const Item (&items)[count]) {
    u32 largest = 0;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const Part item = Part(items[i]);
      const u32 magnitude = magnitude_of(item);
      if (magnitude < infinite) {
        largest = magnitude > largest ? magnitude : largest;
      } else {
        state |= is_nan(item) ? has_nan : upper_bits(item) >> 31 != 0 ? has_minus_infinity : has_infinity;
      }
    }
    raise(rank_for(largest));
  }

  // Slices are cut from items that are multiplied so that the unit of the lowest bin is 2^-width.
  __device__ __forceinline__ static Part scale_of(u32 rank) {
    return part_of_bits(Bits(Format::bias - first_exponent - int(rank + 1) * width) << width);
  }

  // 1.5 x 2^width units of a bin: what is added to it rounds to a unit, and the bits of the sum count these.
  __device__ __forceinline__ static constexpr Bits anchor(int b) {
    return Bits(Format::bias + (bins - 1 - b) * width) << width | Bits(1) << (width - 1);
  }

  // Where an item is not finite, the bins mean nothing any more.
  template <typename Item, int count>
  __device__ __forceinline__ void add_slices(const Item (&items)[count]) {
    const Part scale = scale_of(rank());
    Bits sums[bins];
#pragma unroll
    for (int b = 0; b < bins; ++b) sums[b] = Bits(0) - Bits(count) * anchor(b);
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const Part item = Part(items[i]);
      Part rest;
#pragma unroll
      for (int b = 0; b < bins; ++b) {
        const Part unit = part_of_bits(anchor(b));
        const Part sum = b == 0 ? multiply_add_rounded(item, scale, unit) : add_rounded(rest, unit);
        sums[b] += bits_of(sum);
        if (b + 1 < bins) {
          const Part slice = subtract_rounded(sum, unit);
          rest = b == 0 ? multiply_add_rounded(item, scale, -slice) : subtract_rounded(rest, slice);
        }
      }
    }
#pragma unroll
    for (int b = 0; b < bins; ++b) {
      const i64 slices = typename Format::Signed(sums[b]);
      add_to_bin(b, u64(slices), i32(slices >> 63));
    }
  }
};
