// Verifies a candidate: its results are right at awkward sizes, and it writes nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>

#include "runtime/device.hpp"
#include "tuner/verify/expected_results.hpp"

namespace upsweep::tuner {

// Items that are checked at most: the expected results are computed by one thread, and the host device is no
// performance target.
[[nodiscard]] std::uint64_t most_verified_items(Target target) noexcept;

// Sizes that are worth a look for steps with tiles of so many items, up to `most`: one item, a tile and one less or
// more, a few tiles and one item, and `size` itself as far as it goes. Along an axis, a tile's items are those of one
// column: the same of as many columns as neighbours along the axis are apart, `inner`. Ascending, without repetitions.
[[nodiscard]] std::vector<std::uint64_t> awkward_sizes(const std::vector<std::uint64_t>& tiles, std::uint64_t size,
                                                       std::uint64_t most, std::uint64_t inner = 1);

class Verifier {
 public:
  // Compares pieces of device memory and says at last whether all were the same since it began; as DeviceComparison.
  struct Comparison {
    std::function<void(runtime::Stream stream)> begin;
    std::function<void(const void* a, const void* b, std::uint64_t bytes, runtime::Stream stream)> compare;
    std::function<bool(runtime::Stream stream)> all_same;
  };

  // Makes data for problem.size items, as far as they are checked, and puts them on the device, where they stay.
  // `sequential` is the reference: it is run when its results are needed for the first time. Results that the
  // comparison says are the expected ones are not fetched; without one, all are. Throws DeviceError.
  Verifier(runtime::Device& device, runtime::Stream stream, const Problem& problem, std::uint64_t seed,
           RunKernel sequential, Comparison comparison = {});

  // All sizes that `check` runs steps with these tiles at that are to be used for `size` items: fewer or more than
  // problem.size, as far as there are data.
  [[nodiscard]] std::vector<std::uint64_t> sizes(const std::vector<std::uint64_t>& tiles, std::uint64_t size) const;

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }

  // Runs it at those sizes, one after the other and into poisoned memory. Empty: right. Else what is wrong, in one
  // line. What `run` throws passes through; throws ReferenceFailed where the expected results cannot be computed.
  [[nodiscard]] std::string check(const RunKernel& run, const std::vector<std::uint64_t>& tiles, std::uint64_t size);

 private:
  // An array of `output_`, in bytes: its guard begins, it begins, it has room, the guard behind it ends.
  struct Region {
    std::uint64_t begin;
    std::uint64_t offset;
    std::uint64_t room;
    std::uint64_t end;
  };
  // Where a call finds its inputs and leaves its outputs. Every other one has pointers that are aligned for their types
  // and no better, and another byte that stands for "not written".
  struct Place {
    std::vector<void*> inputs{};
    std::vector<Region> outputs{};
    std::uint64_t bytes = 0;  // of all outputs with their guards, in whole 16-byte words
    std::uint8_t poison = 0;
  };
  // The data of an array, at an address that suits any vector and one item further.
  struct Input {
    runtime::Buffer aligned;
    runtime::Buffer odd;
  };
  [[nodiscard]] std::vector<Input> make_inputs();
  [[nodiscard]] std::vector<void*> aligned_inputs() const;
  [[nodiscard]] Place place(int turn, std::uint64_t n) const;
  [[nodiscard]] std::string check_size(const RunKernel& run, std::uint64_t n, const Place& place);
  // Whether all outputs, their guards included, are what they must be to the bit. Waits for the device once.
  [[nodiscard]] bool all_as_expected(const RunKernel& run, const std::vector<std::uint64_t>& tiles, std::uint64_t size);
  // The outputs are poisoned, and written by a call.
  void call(const RunKernel& run, std::uint64_t n, const Place& place);
  void compare_on_device(std::uint64_t n, const Place& place);
  // Compares what the call has left in `got_`.
  [[nodiscard]] std::string compare(std::uint64_t n, const Place& place);
  // Whether something was written where nothing is to be written: around the array, before its first result, or behind
  // what it keeps.
  [[nodiscard]] std::string compare_ends(std::size_t output, std::uint64_t kept_bytes, std::uint64_t n,
                                         const Place& place) const;
  // Of an output: the items before its first result.
  [[nodiscard]] std::uint64_t bytes_before_results(std::size_t output, std::uint64_t n) const;
  // An array that a call reads. Offsets are the call's own: none is above its number of items.
  struct Array {
    std::span<const std::byte> bytes;
    bool is_of_call;
  };
  [[nodiscard]] std::vector<Array> arrays_of_call(std::uint64_t n);
  void upload(const Place& place, std::uint64_t n);
  // A candidate that writes where it should not may have hit an input, and with it all that are checked later. Mends
  // it; true if it was damaged.
  [[nodiscard]] bool mend(const Place& place, std::uint64_t n);

  runtime::Device& device_;
  runtime::Stream stream_;
  Problem problem_;
  std::vector<Port> outputs_;
  Comparison comparison_;
  // Whether correct results may differ from the expected ones in some bits (padding, NaN). Results are then compared on
  // the host.
  bool bits_may_differ_ = false;
  CallData data_;
  std::map<std::uint64_t, Bytes> offsets_;  // by items of the call
  std::vector<Input> inputs_;
  runtime::Buffer output_;    // all outputs
  runtime::Buffer expected_;  // what `output_` must be; none without a comparison
  ExpectedResults results_;
  Bytes got_;  // kept, for fresh pages cost more than the copy
};

}  // namespace upsweep::tuner
