#include "runtime/cuda/stream_hold.hpp"

#include <atomic>
#include <cstdint>

namespace upsweep::runtime {
namespace {

void set(void* word, std::uint32_t value) noexcept {
  std::atomic_ref(*static_cast<std::uint32_t*>(word)).store(value, std::memory_order_seq_cst);
}

}  // namespace

StreamHold::StreamHold(const Driver& driver) : driver_(driver) {
  driver.check(driver.cuMemHostAlloc(&word_, sizeof(std::uint32_t), CU_MEMHOSTALLOC_DEVICEMAP),
               "allocating mapped host memory");
  const CUresult result = driver.cuMemHostGetDevicePointer_v2(&address_, word_, 0);
  if (result != CUDA_SUCCESS) driver.cuMemFreeHost(word_);
  driver.check(result, "reading the device address of mapped host memory");
  set(word_, 1);
}

StreamHold::~StreamHold() {
  driver_.cuMemFreeHost(word_);
}

void StreamHold::hold(CUstream stream) {
  set(word_, 0);
  const CUresult result = driver_.cuStreamWaitValue32_v2(stream, address_, 1, CU_STREAM_WAIT_VALUE_EQ);
  if (result != CUDA_SUCCESS) release();
  driver_.check(result, "making a CUDA stream wait for a value");
}

void StreamHold::release() noexcept {
  set(word_, 1);
}

}  // namespace upsweep::runtime
