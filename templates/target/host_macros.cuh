// The words of CUDA C++ that plain C++20 does not have.
#pragma once

#define __device__
#define __global__ __attribute__((visibility("default")))
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
