// The items of a row outside its whole vectors of 16 bytes, where the order of items does not matter: the lanes of a
// group take them one by one.
#pragma once

#include "algorithm/lift.cuh"
#include "operator/combine.value.cuh"
#include "parameters.cuh"
#include "thread/row_vectors.cuh"

// Whether rows that begin within vectors are folded so.
constexpr bool has_edges = !in_order && items_fill_vectors;

// Items before the first whole vector, and behind the last one: fewer than a vector has.
struct RowEdges {
  int head;
  int tail;
};

__device__ __forceinline__ RowEdges edges_of(const Input* row, u64 length) {
  const int before = int(reinterpret_cast<u64>(row) % 16 / sizeof(Input));
  const int to_vector = before == 0 ? 0 : vector_items - before;
  const int head = length < u64(to_vector) ? int(length) : to_vector;
  return {head, int((length - u64(head)) % vector_items)};
}

// The first item of either edge that a lane takes.
struct EdgeItems {
  Input head;
  Input tail;
};

__device__ __forceinline__ void load_edges(const Input* row, u64 length, int lane, EdgeItems& to) {
  const RowEdges edges = edges_of(row, length);
  if (lane < edges.head) to.head = row[lane];
  if (lane < edges.tail) to.tail = row[length - u64(edges.tail) + u64(lane)];
}

// Folds a lane's items of the edges behind what it has. The lowest `active` lanes have anything.
__device__ __forceinline__ void fold_edges(const Input* row, u64 length, const RowEdges& edges, const EdgeItems& loaded,
                                           int active, Accumulator& total) {
  const int lane = thread_index() % threads_per_row;
  bool has_total = lane < active;
  for (int i = lane; i < edges.head; i += threads_per_row) {
    const Accumulator item = lift(i == lane ? loaded.head : row[i]);
    total = has_total ? combine(total, item) : item;
    has_total = true;
  }
  const Input* const tail = row + (length - u64(edges.tail));
  for (int i = lane; i < edges.tail; i += threads_per_row) {
    const Accumulator item = lift(i == lane ? loaded.tail : tail[i]);
    total = has_total ? combine(total, item) : item;
    has_total = true;
  }
}
