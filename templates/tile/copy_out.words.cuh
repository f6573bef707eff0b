#pragma once

#include "parameters.cuh"

// Copies items [begin, end), smaller than a word, by one warp: neighbouring lanes write neighbouring words of 4 bytes,
// however the words of source and destination lie to each other. `from` begins at a word.
__device__ __forceinline__ void copy_out(Output* to, const Output* from, int begin, int end) {
  constexpr int word_items = 4 / sizeof(Output);
  const int lane = lane_index();
  const int past_word = int(reinterpret_cast<u64>(to + begin) % 4 / sizeof(Output));
  const int aligned = begin + (past_word == 0 ? 0 : word_items - past_word);
  const int first = aligned < end ? aligned : end, words = (end - first) / word_items;
  const u32* const source = reinterpret_cast<const u32*>(from) + first / word_items;
  u32* const destination = reinterpret_cast<u32*>(to + first);
  const u32 shift = first % word_items * sizeof(Output) * 8;
  for (int word = lane; word < words; word += warp_size) {
    const u32 low = source[word];
    destination[word] = shift == 0 ? low : low >> shift | source[word + 1] << (32 - shift);
  }
  const int head = begin + lane, tail = first + words * word_items + lane;
  if (head < first) to[head] = from[head];
  if (tail < end) to[tail] = from[tail];
}
