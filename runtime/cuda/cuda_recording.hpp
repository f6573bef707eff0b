// Work of a stream, kept as a CUDA graph.
#pragma once

#include <functional>

#include "runtime/cuda/driver.hpp"
#include "runtime/device.hpp"

namespace upsweep::runtime {

// The context must be current when it is made; it must outlive this.
class CudaRecording final : public Recording {
 public:
  // Captures what `work` adds to the stream, which is not run. `default_stream`: where replays without a stream run.
  // Throws DeviceError and what `work` throws; then the stream is as it was.
  CudaRecording(const Driver& driver, CUcontext context, CUstream stream, CUstream default_stream,
                const std::function<void()>& work);
  CudaRecording(const CudaRecording&) = delete;
  CudaRecording& operator=(const CudaRecording&) = delete;
  ~CudaRecording() override;

  void replay(Stream stream) override;

 private:
  const Driver& driver_;
  CUcontext context_;
  CUstream default_stream_;
  CUgraphExec graph_ = nullptr;
};

}  // namespace upsweep::runtime
