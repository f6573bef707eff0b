// Whether a candidate computes the right thing, at the sizes where kernels go wrong, and writes nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/device.hpp"
#include "tuner/reference.hpp"

namespace upsweep::tuner {

// Items that are checked at most: the reference is sequential, and the host device is no performance target.
[[nodiscard]] std::uint64_t most_verified_items(Target target) noexcept;

// Sizes that are worth a look for tiles of that many items, up to `most`: one item, a tile and one less or more, a few
// tiles and one item, and `size` itself as far as it goes. Ascending, without repetitions.
[[nodiscard]] std::vector<std::uint64_t> awkward_sizes(std::uint64_t tile_items, std::uint64_t size,
                                                       std::uint64_t most);

class Verifier {
 public:
  // Adds one call to the stream.
  using Run =
      std::function<void(const void* in, void* out, std::uint64_t n, const Scalar& initial, runtime::Stream stream)>;

  // Makes data and reference for problem.size items, as far as they are checked. Throws DeviceError.
  Verifier(runtime::Device& device, runtime::Stream stream, const Problem& problem, std::uint64_t seed);

  // All sizes that `check` runs a kernel of these tiles at.
  [[nodiscard]] std::vector<std::uint64_t> sizes(std::uint64_t tile_items) const;

  // Runs it at those sizes, one after the other and into poisoned memory. Empty: right. Else what is wrong, in one
  // line. What `run` throws passes through.
  [[nodiscard]] std::string check(const Run& run, std::uint64_t tile_items);

 private:
  [[nodiscard]] std::string check_size(const Run& run, std::uint64_t n, int turn);

  runtime::Device& device_;
  runtime::Stream stream_;
  Problem problem_;
  Bytes data_;
  Scalar initial_;
  Reference reference_;
  runtime::Buffer input_;
  runtime::Buffer output_;
};

}  // namespace upsweep::tuner
