// The expected results: those of the schedule sequential on the same device, for the same data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <upsweep/error.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/device.hpp"
#include "tuner/verify/data.hpp"
#include "tuner/verify/number.hpp"
#include "tuner/verify/port_call.hpp"

namespace upsweep::tuner {

// Where results differ from the expected ones.
struct Mismatch {
  std::uint64_t index = 0;
  std::string expected;
  std::string got;
  std::string port = {};  // empty if the problem has one output
  bool operator==(const Mismatch&) const = default;
};

// "wrong at index 3: expected 10, got 6", after "count: " where the port has a name.
[[nodiscard]] std::string to_string(const Mismatch& mismatch);

// The expected results could not be computed. The candidate that was to be checked is not at fault.
struct ReferenceFailed : Error {
  using Error::Error;
};

// The items of each output, in the order of outputs_of(problem).
using Results = std::vector<std::span<const std::byte>>;

// What the kernel sequential makes of the first n items of the data. It is run when results are asked for that are not
// there yet: once for all items where each item has a result in each output that depends on no item behind it, for the
// results of fewer are the first of those; otherwise once for each n.
class ExpectedResults {
 public:
  // `inputs`: device memory that holds the arrays of `data` when `sequential` runs. They are copied there before each
  // run, because a candidate may have damaged them. The data must outlive this. Throws DeviceError.
  ExpectedResults(runtime::Device& device, runtime::Stream stream, const Problem& problem, const CallData& data,
                  std::vector<void*> inputs, RunKernel sequential);

  [[nodiscard]] std::uint64_t items() const noexcept { return data_.items; }
  // The results for the first n items: of an output with Extent::at_most_n, those that are kept. Throws UsageError
  // where n exceeds items(), ReferenceFailed where they cannot be computed, and runtime::Cancelled.
  [[nodiscard]] Results of(std::uint64_t n);
  // The item that the first of these results is of. A scan of segments leaves out the items before the first segment.
  [[nodiscard]] std::uint64_t first_result(std::uint64_t n) const noexcept { return std::min(first_result_, n); }

  // The data make no association of the built-in operators round, so the bytes of the results must be the same. But any
  // NaN stands for any other, and in complex values a zero for one of the other sign: which sign the zeros of a product
  // have depends on the association. Padding is not compared, nor is what comes after the items that are kept; their
  // number is compared first. None: all are right. Throws UsageError if `got` holds fewer results, and as `of`.
  [[nodiscard]] std::optional<Mismatch> compare(std::uint64_t n, const Results& got);

  // Adds a copy of one output's results to device memory to the stream.
  void put(std::size_t output, void* to, std::uint64_t n);
  // What lies on the device may be damaged by what is compared. Mends it; true if it was damaged.
  [[nodiscard]] bool mend();

 private:
  // Of one run, by output.
  struct Known {
    std::vector<Bytes> results;                // those that are kept
    std::vector<runtime::Buffer> on_device{};  // a copy of many; where there is none, they are copied from here
  };
  [[nodiscard]] const Known& known(std::uint64_t n);
  [[nodiscard]] Known compute(std::uint64_t n);
  void run(std::uint64_t n);
  [[nodiscard]] Bytes fetch(std::size_t output, std::uint64_t items);
  [[nodiscard]] std::uint64_t kept_items(const Port& port, const std::vector<Bytes>& results, std::uint64_t n) const;
  [[nodiscard]] runtime::Buffer copy_of(std::size_t output, const Bytes& results);
  [[nodiscard]] std::optional<Mismatch> compare(std::size_t output, std::span<const std::byte> expected,
                                                std::span<const std::byte> got) const;

  runtime::Device& device_;
  runtime::Stream stream_;
  Problem problem_;
  std::vector<Port> outputs_;
  bool is_dense_;  // a result for each item in each output, and the same for fewer items
  std::uint64_t first_result_ = 0;
  const CallData& data_;
  std::vector<void*> inputs_;
  RunKernel sequential_;
  std::map<std::uint64_t, Known> known_;  // by items of the run
  std::vector<runtime::Buffer> results_;  // of the latest run, by output
};

}  // namespace upsweep::tuner
