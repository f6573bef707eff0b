// What results are compared with: those of the schedule sequential on the same device, for the same input.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <upsweep/error.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "generator/value_type.hpp"
#include "runtime/device.hpp"
#include "tuner/number.hpp"

namespace upsweep::tuner {

// Adds one call of a kernel to the stream.
using RunKernel =
    std::function<void(const void* in, void* out, std::uint64_t n, const Scalar& initial, runtime::Stream stream)>;

struct Mismatch {
  std::uint64_t index = 0;
  std::string expected;
  std::string got;
  bool operator==(const Mismatch&) const = default;
};

// "wrong at index 3: expected 10, got 6"
[[nodiscard]] std::string to_string(const Mismatch& mismatch);

// The expected results could not be computed. The candidate that was to be checked is not at fault.
struct ReferenceFailed : Error {
  using Error::Error;
};

// The input, and what the kernel sequential makes of its first n items. It is run when results are asked for that are
// not there yet: where each item has a result, once for all items, for the results of fewer are the first of those.
class ExpectedResults {
 public:
  // `data`: items of the problem's input type, which must outlive this. `input`: device memory that holds them when
  // `sequential` runs. They are copied there before each run, because a candidate may have damaged them. Throws
  // DeviceError.
  ExpectedResults(runtime::Device& device, runtime::Stream stream, const Problem& problem,
                  std::span<const std::byte> data, const Scalar& initial, void* input, RunKernel sequential);

  [[nodiscard]] std::uint64_t items() const noexcept { return items_; }
  // The results for the first n items. Throws UsageError where n exceeds items(), ReferenceFailed where they cannot be
  // computed, and runtime::Cancelled.
  [[nodiscard]] std::span<const std::byte> of(std::uint64_t n);

  // The data make no association of the built-in operators round, so the bytes of the results must be the same. But any
  // NaN stands for any other, and in complex values a zero for one of the other sign: which sign the zeros of a product
  // have depends on the association. Padding is not compared. None: all are right. Throws UsageError if `got` holds
  // fewer results, and as `of`.
  [[nodiscard]] std::optional<Mismatch> compare(std::uint64_t n, std::span<const std::byte> got);

  // Adds a copy of these results to device memory to the stream.
  void put(void* to, std::uint64_t n);
  // What lies on the device may be damaged by what is compared. Mends it; true if it was damaged.
  [[nodiscard]] bool mend();

 private:
  [[nodiscard]] Bytes compute(std::uint64_t n);
  [[nodiscard]] bool agree(const std::byte* expected, const std::byte* got) const;
  [[nodiscard]] std::string text(const std::byte* value) const;

  runtime::Device& device_;
  runtime::Stream stream_;
  Problem problem_;
  std::vector<Field> fields_;  // of a result: padding between them is not compared
  std::span<const std::byte> data_;
  Scalar initial_;
  void* input_;
  RunKernel sequential_;
  std::uint64_t items_;
  std::map<std::uint64_t, Bytes> known_;  // by items of the run
  runtime::Buffer results_;               // of the latest run
};

}  // namespace upsweep::tuner
