// An array that the context's device computes on, for examples 04 to 06 and 08 to 12: memory of the GPU (cudaMalloc),
// or ordinary memory where upsweep computes on the CPU. Example 03 does the same step by step.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <upsweep/upsweep.hpp>

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

inline bool is_gpu(const upsweep::Context& context) {
  return context.device() != "host";
}

template <typename T>
class DeviceArray {
 public:
  DeviceArray(const upsweep::Context& context, std::size_t items) : items_(items), on_gpu_(is_gpu(context)) {
    void* memory = nullptr;
    if (on_gpu_) {
      check(cudaMalloc(&memory, items * sizeof(T)));
    } else {
      memory = ::operator new(items * sizeof(T), alignment);
    }
    data_ = static_cast<T*>(memory);
  }
  ~DeviceArray() {
    if (on_gpu_) {
      cudaFree(data_);
    } else {
      ::operator delete(data_, alignment);
    }
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return items_; }

  // Returns when the values are there, for all streams.
  void copy_from(const std::vector<T>& values) {
    if (values.size() != items_) throw std::invalid_argument("the array and the vector differ in size");
    if (on_gpu_) {
      check(cudaMemcpy(data_, values.data(), items_ * sizeof(T), cudaMemcpyHostToDevice));
      check(cudaDeviceSynchronize());  // cudaMemcpy may return before memory that is not pinned has arrived
    } else {
      for (std::size_t i = 0; i < items_; ++i) data_[i] = values[i];
    }
  }
  // Waits for the work on the GPU.
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> result(items_);
    if (on_gpu_) {
      check(cudaDeviceSynchronize());
      check(cudaMemcpy(result.data(), data_, items_ * sizeof(T), cudaMemcpyDeviceToHost));
    } else {
      result.assign(data_, data_ + items_);
    }
    return result;
  }

 private:
  static constexpr std::align_val_t alignment{512};  // as cudaMalloc's, at least

  T* data_ = nullptr;
  std::size_t items_;
  bool on_gpu_;
};
