#pragma once

#include "parameters.cuh"

// Read before the first of them is written: the compiler cannot know that source and destination differ.
constexpr int words_at_once = 5;

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
  for (int word = lane; word < words; word += words_at_once * warp_size) {
    u32 low[words_at_once], high[words_at_once];
#pragma unroll
    for (int w = 0; w < words_at_once; ++w) {
      if (word + w * warp_size >= words) continue;
      low[w] = source[word + w * warp_size];
      if (shift != 0) high[w] = source[word + w * warp_size + 1];
    }
#pragma unroll
    for (int w = 0; w < words_at_once; ++w) {
      if (word + w * warp_size >= words) continue;
      destination[word + w * warp_size] = shift == 0 ? low[w] : low[w] >> shift | high[w] << (32 - shift);
    }
  }
  const int head = begin + lane, tail = first + words * word_items + lane;
  if (head < first) to[head] = from[head];
  if (tail < end) to[tail] = from[tail];
}
