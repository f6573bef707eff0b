/// @file
/// Stream: a CUDA stream as an argument of calls.
#pragma once

#include <upsweep/export.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

struct CUstream_st;  // cuda.h: CUstream and cudaStream_t are pointers to it

namespace UPSWEEP_API upsweep {

/// The types that a Stream can be made from: cudaStream_t, CUstream, nullptr, or an object that converts to
/// cudaStream_t, such as PyTorch's CUDAStream. Numbers (also 0) and other pointers are rejected, so that an argument
/// that was meant as an initial value never becomes a stream.
template <typename T>
concept StreamHandle = std::same_as<T, CUstream_st*> || std::same_as<T, std::nullptr_t> ||
    (std::is_class_v<T>&& std::convertible_to<const T&, CUstream_st*>);

/// A CUDA stream, which is not owned. nullptr is the default stream of the device: the legacy
/// default stream, but for a part of a GPU (Context::default_stream()). On the host device every stream behaves the
/// same, because a call returns only when its work has ended.
class Stream {
 public:
  /// The default stream of the device.
  constexpr Stream() noexcept = default;
  /// The stream of a handle. The conversion is implicit, so that calls accept a cudaStream_t.
  template <StreamHandle T>
  constexpr Stream(const T& handle) : handle_(handle) {}  // NOLINT: implicit, so that a call takes a cudaStream_t

  /// The handle as cudaStream_t or CUstream.
  [[nodiscard]] constexpr CUstream_st* handle() const noexcept { return handle_; }

  /// Streams are equal if their handles are equal.
  bool operator==(const Stream&) const = default;

 private:
  CUstream_st* handle_ = nullptr;
};

}  // namespace upsweep
