/// @file
/// Included first by every public header: checks that the program is compiled as C++20, and marks what the shared
/// library exports.
#pragma once

#if __cplusplus <= 201703L
#error "upsweep needs C++20: compile with -std=c++20 (g++, clang++ and nvcc); in CMake set CMAKE_CXX_STANDARD to 20"
// Compilers go on after #error, and hundreds of other errors would follow. A missing file ends the compilation.
#include "upsweep needs C++20"
#endif

/// @def UPSWEEP_API
/// Attribute of a namespace: its declarations are visible outside the shared library, which is compiled with
/// -fvisibility=hidden.
#define UPSWEEP_API [[gnu::visibility("default")]]
