// What the functions of the stand-in for libcuda have in common.
#pragma once

#include "tests/runtime/cuda/fake_libcuda.hpp"

inline FakeCuda& state() {
  return *fake_cuda();
}

enum class Needs { nothing, context };

// What every function does first: the failure asked for, then the need for a context. Holds the lock for the call.
class Call {
 public:
  Call(const char* function, Needs needs) : lock_(state().mutex) {
    ++state().entered;
    if (needs == Needs::context) {
      if (state().recording)
        state().calls.emplace_back(function, fake_cuda_stack()->empty() ? nullptr : fake_cuda_stack()->back());
      if (fake_cuda_stack()->empty() || fake_cuda_stack()->back() == nullptr) result_ = CUDA_ERROR_INVALID_CONTEXT;
    }
    if (state().failures.empty()) return;
    if (const auto at = state().failures.find(function); at != state().failures.end()) result_ = at->second;
  }
  // Potentially unsafe calls, in the words of cuThreadExchangeStreamCaptureMode's documentation.
  Call& unsafe_in_capture() {
    if (state().capturing_globally && *fake_cuda_mode() != CU_STREAM_CAPTURE_MODE_RELAXED) {
      result_ = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return *this;
  }
  [[nodiscard]] bool fails() const { return result_ != CUDA_SUCCESS; }
  [[nodiscard]] CUresult result() const { return result_; }

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  CUresult result_ = CUDA_SUCCESS;
};

template <typename Handle>
Handle new_handle() {
  state().next_handle += 16;
  return reinterpret_cast<Handle>(state().next_handle);
}

inline bool is_stream(CUstream stream) {
  return reinterpret_cast<unsigned long long>(stream) <= 2 || state().streams.count(stream) != 0;
}

// A launch on a captured stream becomes a node behind those that the stream depends on.
void fake_capture_launch(CUstream stream);

// A function that libcuda exports under that name, whatever cuda.h of this version declares it as, if it does.
#define EXPORTED_AS(name) asm(#name)

#define ENTER(needs)                       \
  const Call call(__func__, Needs::needs); \
  if (call.fails()) return call.result();
#define ENTER_UNSAFE()                 \
  Call call(__func__, Needs::context); \
  if (call.unsafe_in_capture().fails()) return call.result();
