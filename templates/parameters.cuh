// Defaults of every parameter, so that each template compiles alone. A generated source has its own block in this
// place.
#pragma once

#include "target/cuda.cuh"

using Input = i32;

using Accumulator = i32;

using Output = i32;

using Key = i32;

// What the operator combines.
using Value = Accumulator;

// What a place of the inputs holds. In a source of dense emission it is an Input, otherwise it has a member for each
// array that is read.
struct Item {
  Input in;
  Key flags;
  Key keys;
  Key keys_before;
  bool has_before;
  Input values;
  Input in_before;
  Input in_before2;
  bool has_before2;
  u64 index;
  bool begins_row;

  __device__ __forceinline__ operator Input() const { return in; }
};

// What an item emits: a member for each array that is written so.
struct Result {
  Output out;
  Output aggregates;
};

// What an item contributes, and what items of one tile combine to. An Accumulator is made of it.
using Local = Accumulator;

// What tiles exchange.
using Exchanged = Accumulator;

// The type in which values are added and multiplied: unsigned for integers, so that overflow wraps.
using Arithmetic = u32;

// The type in which floating values are compared.
using Floating = float;

constexpr int threads_per_block = 256;

constexpr int items_per_thread = 16;

constexpr int minimum_blocks = 1;

constexpr int load_vector_bytes = 16;

constexpr int store_vector_bytes = 16;

constexpr int lookback_window = 32;

constexpr u32 delay_nanoseconds = 0;

constexpr int cluster_blocks = 8;

constexpr int worker_warps = 8;

constexpr int reducer_warps = 8;

constexpr int loader_warps = 1;

constexpr int storer_warps = 1;

constexpr int vectors_per_thread = 5;

constexpr int stages = 4;

constexpr int reduce_ahead = 2;

constexpr int states_per_lane = 4;

constexpr int filler_warps = 3;
constexpr int shares_per_block = 16;

constexpr int piece_items = 16384;

// Loops over items of a segment repeat so many rounds of loads.
constexpr int unrolled_rounds = 4;

constexpr u32 blocks_per_helper = 8;

constexpr u32 queue_entries = 1024;

constexpr u32 queue_places = 8192;

constexpr u64 queue_bytes = 0;

constexpr int threads_per_row = 8;

constexpr int threads_per_segment = 8;

constexpr int loads_per_thread = 2;

constexpr int rows_per_group = 2;

constexpr int staged_vectors = 4;

constexpr int columns_per_thread = 4;

constexpr int panel_width = 32;

constexpr int panel_columns = 128;

constexpr int row_columns = 4;

constexpr int contiguous_columns = 16;

constexpr int stage_items = 9220;

constexpr int stage_bytes = 16384;

constexpr int rows_per_tile = 48;

constexpr int tiles_per_span = 2;

constexpr int exchange_warps = 1;

constexpr int rows_per_thread = 9;

// Whether the operator does not commute: items are combined in their order.
constexpr bool in_order = true;

// Whether results wait where a tile's items were, to be stored.
constexpr bool results_in_stage = true;

// Whether results are exchanged where items of other threads of the block, or of the warp, were.
constexpr bool block_exchanges_twice = true;
constexpr bool warp_exchanges_twice = false;

// Whether the first item has an exclusive prefix: the initial value.
constexpr bool has_initial = false;

// Whether results may take the place of items that other tiles read: what tiles publish then orders their accesses.
constexpr bool results_replace_items = false;

struct Workspace;

// What the kernel takes.
struct Arguments {
  const Input* in;
  const Key* keys;
  Output* out;
  Key* unique;
  Output* aggregates;
  Output* offsets;
  Output* lengths;
  Accumulator* count;
  Output* first;
  Output* second;
  Output* rest;
  Value* first_count;
  Value* second_count;
  Value* rest_count;
  u64 n;
  u64 rows;
  u64 row_length;
  u64 in_pitch;
  u64 out_pitch;
  u64 columns;
  u64 length;
  u64 inner;
  u64 segments;
  Accumulator initial;
  Input threshold;
  Input second_threshold;
  Workspace* workspace;
  u64* total;
  Accumulator* partials;
  u64* partial_count;
  Accumulator* totals;
  u64* total_count;
  Accumulator* ping;
  Accumulator* pong;
  const void* items;
  u64 items_bytes;
  u64 capacity;
  const Key* segment_ends;
};

// The values that a call has besides its arrays.
struct Scalars {
  Accumulator initial;
  Input threshold;
  Input second_threshold;
};

// The values as they are passed. Sources that read them from device memory have a struct of their addresses here.
using PassedScalars = Scalars;

__device__ __forceinline__ PassedScalars passed_scalars(const Arguments& arguments) {
  return {arguments.initial, arguments.threshold, arguments.second_threshold};
}

// Only after the wait for the previous kernel.
__device__ __forceinline__ Scalars read_scalars(const PassedScalars& passed) { return passed; }

// What the generator counted; 0: nothing to compare with.
constexpr int shared_bytes = 0;
