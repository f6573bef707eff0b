// The arrays of upsweep run in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <upsweep/arguments.hpp>
#include <upsweep/port.hpp>
#include <upsweep/problem.hpp>

#include "cli/run_input.hpp"
#include "cli/run_output.hpp"
#include "runtime/device.hpp"

namespace upsweep::cli {

// In the order of the problem's ports.
class CallArrays {
 public:
  CallArrays(runtime::Device& device, const Problem& problem, const RunInput& input);

  // Of the first n items, or the rows among them; or of an array of so many items, or fewer, with an axis. Of segments,
  // of all.
  [[nodiscard]] Arguments arguments(std::uint64_t n) const;

  // What a call wrote.
  [[nodiscard]] RunResults results() const;

 private:
  [[nodiscard]] Arguments arguments_without_arrays(std::uint64_t n) const;
  [[nodiscard]] Axis smaller_axis(std::uint64_t n) const;
  [[nodiscard]] bool is_count(const Port& port) const;
  [[nodiscard]] Array fetch(std::size_t index) const;
  [[nodiscard]] std::uint64_t items_of(const Port& port) const;
  // With the gaps between rows. What a call writes has none.
  [[nodiscard]] std::uint64_t places_in(const Port& port) const;
  [[nodiscard]] std::uint64_t counted_items(const Port& port) const;
  // The parts of a partition: an array each, of which one is made, or the front and the back of one array.
  void name_parts(RunResults& results) const;

  runtime::Device& device_;
  Problem problem_;
  std::vector<Port> ports_;
  std::uint64_t items_;
  std::optional<Rows> rows_;
  std::optional<Axis> axis_;
  std::size_t dimension_;
  std::optional<std::uint64_t> segments_;  // how many the items are
  std::optional<runtime::Buffer> segment_ends_{};
  std::vector<std::uint64_t> shape_;  // of a .npy file with --axis; otherwise empty
  std::vector<runtime::Buffer> buffers_;
};

}  // namespace upsweep::cli
