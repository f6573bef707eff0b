// Where element i of a shared array lies: one free element after every 32 keeps threads that walk neighbouring rows in
// different banks.
#pragma once

#include "target/cuda.cuh"

__device__ constexpr int padded(int i) { return i + i / warp_size; }
