#include "tests/runtime/cuda/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local std::uint64_t count = 0;
}

namespace upsweep::runtime::test {
std::uint64_t allocations() {
  return count;
}
}  // namespace upsweep::runtime::test

// The array and nothrow forms call this one; nothing here is over-aligned.
void* operator new(std::size_t bytes) {
  ++count;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
