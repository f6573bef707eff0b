#include "tuner/verify/verification.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/shape.hpp"
#include "generator/shape_defaults.hpp"
#include "generator/value_type.hpp"
#include "tuner/verify/segment_data.hpp"

namespace upsweep::tuner {
namespace {

// Poisoned bytes before and after each output: more than any vector store is wide.
constexpr std::uint64_t guard_bytes = 256;

// A few tiles of the largest size, so that tiles meet tiles in every config, whatever size is tuned for.
constexpr std::uint64_t least_verified_items = std::uint64_t{1} << 17;

// Whether right results of the type always have the same bits: zeros and NaNs of floating-point numbers, and padding,
// may differ.
bool has_certain_bits(const Port& port) {
  return is_integer(port.type);
}

std::uint64_t verified_items(const runtime::Device& device, std::uint64_t size) {
  return std::min(std::max(size, least_verified_items), most_verified_items(device.target()));
}

}  // namespace

std::uint64_t most_verified_items(Target target) noexcept {
  return std::uint64_t{1} << (target == Target::host ? 17 : 22);
}

std::vector<std::uint64_t> awkward_sizes(const std::vector<std::uint64_t>& tiles, std::uint64_t size,
                                         std::uint64_t most, std::uint64_t inner) {
  std::vector<std::uint64_t> sizes{1, std::min(size, most)};
  for (const std::uint64_t items : tiles) {
    for (const std::uint64_t n : {items - 1, items + 1, 3 * items + 1}) {
      sizes.push_back(n);
      if (n <= most / inner) sizes.push_back(n * inner);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::erase_if(sizes, [&](std::uint64_t n) { return n == 0 || n > most; });
  return sizes;
}

Verifier::Verifier(runtime::Device& device, runtime::Stream stream, const Problem& problem, std::uint64_t seed,
                   RunKernel sequential, Comparison comparison)
    : device_(device),
      stream_(stream),
      problem_(problem),
      outputs_(outputs_of(problem)),
      comparison_(std::move(comparison)),
      data_(make_call_data(problem, verified_items(device, problem.size), seed)),
      inputs_(make_inputs()),
      output_(device, std::max(place(0, data_.items).bytes, place(1, data_.items).bytes)),
      expected_(comparison_.compare ? runtime::Buffer(device, output_.bytes()) : runtime::Buffer()),
      results_(device, stream, problem, data_, aligned_inputs(), std::move(sequential)),
      got_(output_.bytes()) {
  upload(place(0, data_.items), data_.items);
  upload(place(1, data_.items), data_.items);
}

std::vector<Verifier::Input> Verifier::make_inputs() {
  std::vector<Input> inputs;
  for (const Bytes& data : data_.inputs) {
    const std::uint64_t bytes = data.size() + guard_bytes;
    inputs.push_back({runtime::Buffer(device_, bytes), runtime::Buffer(device_, bytes)});
  }
  return inputs;
}

std::vector<void*> Verifier::aligned_inputs() const {
  std::vector<void*> addresses;
  for (const Input& input : inputs_) addresses.push_back(input.aligned.data());
  return addresses;
}

std::vector<std::uint64_t> Verifier::sizes(const std::vector<std::uint64_t>& tiles, std::uint64_t size) const {
  const bool along_axis = problem_.shape == Shape::axis;
  std::vector<std::uint64_t> found =
      awkward_sizes(tiles, size, results_.items(), along_axis ? std::max<std::uint64_t>(problem_.inner, 1) : 1);
  // Plans run calls of other extents with another kernel than the candidate's.
  if (!has_few_columns(problem_)) return found;
  std::erase_if(found, [&](std::uint64_t n) {
    return inner_of(problem_, n) != problem_.inner || rows_of(problem_, n) != problem_.inner;
  });
  return found;
}

Verifier::Place Verifier::place(int turn, std::uint64_t n) const {
  const bool odd = turn % 2 != 0;
  Place place{.poison = static_cast<std::uint8_t>(odd ? 0x5a : 0xa5)};
  std::size_t input = 0;
  for (const Port& port : ports(problem_)) {
    const std::uint64_t shift = odd ? size_of(port.type) : 0;
    if (port.direction == Direction::in) {
      const Input& memory = inputs_[input++];
      place.inputs.push_back(static_cast<std::byte*>((odd ? memory.odd : memory.aligned).data()) + shift);
      continue;
    }
    const std::uint64_t begin = round_up(place.bytes, guard_bytes), offset = begin + guard_bytes + shift;
    const std::uint64_t room = bytes_of(port_items(problem_, port, n), port.type);
    place.outputs.push_back({.begin = place.bytes, .offset = offset, .room = room, .end = offset + room + guard_bytes});
    place.bytes = place.outputs.back().end;
  }
  place.bytes = round_up(place.bytes, 16);
  return place;
}

std::vector<Verifier::Array> Verifier::arrays_of_call(std::uint64_t n) {
  std::vector<Array> arrays;
  std::size_t input = 0;
  for (const Port& port : ports(problem_)) {
    if (port.direction == Direction::out) continue;
    const Bytes& all = data_.inputs[input++];
    const bool is_of_call = port.extent == Extent::offsets;
    if (is_of_call && !offsets_.contains(n)) offsets_[n] = offsets_of_call(problem_, port, all, n);
    arrays.push_back({is_of_call ? offsets_[n] : all, is_of_call});
  }
  return arrays;
}

void Verifier::upload(const Place& place, std::uint64_t n) {
  const std::vector<Array> arrays = arrays_of_call(n);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    device_.copy_to_device(place.inputs[i], arrays[i].bytes.data(), arrays[i].bytes.size(), stream_);
  }
}

bool Verifier::mend(const Place& place, std::uint64_t n) {
  const std::vector<Array> arrays = arrays_of_call(n);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    Bytes held(arrays[i].bytes.size());
    device_.copy_to_host(held.data(), place.inputs[i], held.size(), stream_);
    if (std::ranges::equal(held, arrays[i].bytes)) continue;
    upload(place, n);
    return true;
  }
  return false;
}

std::string Verifier::check(const RunKernel& run, const std::vector<std::uint64_t>& tiles, std::uint64_t size) {
  // Before anything of it has run: what it does to the device is not to be taken for a failure of the reference.
  for (const std::uint64_t n : sizes(tiles, size)) static_cast<void>(results_.of(n));
  const bool compared = comparison_.compare && !bits_may_differ_;
  if (compared && all_as_expected(run, tiles, size)) return {};
  int turn = 0;
  bool mended = false;
  for (const std::uint64_t n : sizes(tiles, size)) {
    const Place where = place(turn++, n);
    std::string wrong = check_size(run, n, where);
    if (!wrong.empty() && mend(where, n)) {
      mended = true;
      wrong = check_size(run, n, where);  // it may have been another's fault
      if (!wrong.empty()) static_cast<void>(mend(where, n));
    }
    if (!wrong.empty()) return wrong;
  }
  if (!compared || mended || results_.mend()) return {};
  if (std::all_of(outputs_.begin(), outputs_.end(), has_certain_bits) || all_as_expected(run, tiles, size)) {
    return "the results were wrong in the first run and correct when the same calls were repeated";
  }
  bits_may_differ_ = true;
  return {};
}

void Verifier::call(const RunKernel& run, std::uint64_t n, const Place& place) {
  auto* all = static_cast<std::byte*>(output_.data());
  device_.fill(all, place.poison, place.bytes, stream_);
  const std::vector<Array> of_call = arrays_of_call(n);
  for (std::size_t i = 0; i < of_call.size(); ++i) {
    if (!of_call[i].is_of_call) continue;
    device_.copy_to_device(place.inputs[i], of_call[i].bytes.data(), of_call[i].bytes.size(), stream_);
  }
  SlotArrays arrays{};
  std::size_t index = 0, input = 0, output = 0;
  for (const Port& port : ports(problem_)) {
    const bool reads = port.direction == Direction::in;
    arrays.at(index++) = reads ? place.inputs[input++] : all + place.outputs[output++].offset;
  }
  run(call_of(problem_, arrays, n, data_.scalars), stream_);
}

bool Verifier::all_as_expected(const RunKernel& run, const std::vector<std::uint64_t>& tiles, std::uint64_t size) {
  comparison_.begin(stream_);
  int turn = 0;
  for (const std::uint64_t n : sizes(tiles, size)) {
    const Place where = place(turn++, n);
    call(run, n, where);
    compare_on_device(n, where);
  }
  return comparison_.all_same(stream_);
}

std::string Verifier::check_size(const RunKernel& run, std::uint64_t n, const Place& place) {
  call(run, n, place);
  device_.synchronize(stream_);
  device_.copy_to_host(got_.data(), output_.data(), place.bytes, stream_);
  return compare(n, place);
}

void Verifier::compare_on_device(std::uint64_t n, const Place& place) {
  auto* all = static_cast<std::byte*>(expected_.data());
  device_.fill(all, place.poison, place.bytes, stream_);
  for (std::size_t i = 0; i < place.outputs.size(); ++i) {
    results_.put(i, all + place.outputs[i].offset + bytes_before_results(i, n), n);
  }
  comparison_.compare(output_.data(), all, place.bytes, stream_);
}

std::string Verifier::compare(std::uint64_t n, const Place& place) {
  Results got;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Region& region = place.outputs[i];
    const std::uint64_t before = bytes_before_results(i, n);
    got.push_back(std::span(got_).subspan(region.offset + before, region.room - before));
  }
  if (const auto mismatch = results_.compare(n, got)) return fmt::format("{} ({} items)", to_string(*mismatch), n);
  const Results expected = results_.of(n);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    std::string wrong = compare_ends(i, bytes_before_results(i, n) + expected[i].size(), n, place);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::uint64_t Verifier::bytes_before_results(std::size_t output, std::uint64_t n) const {
  return bytes_of(results_.first_result(n), outputs_[output].type);
}

std::string Verifier::compare_ends(std::size_t output, std::uint64_t kept_bytes, std::uint64_t n,
                                   const Place& place) const {
  const Port& port = outputs_[output];
  const Region& region = place.outputs[output];
  const auto is_written = [&](std::uint64_t begin, std::uint64_t end) {
    return std::any_of(got_.begin() + static_cast<std::ptrdiff_t>(begin),
                       got_.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](std::byte byte) { return byte != std::byte{place.poison}; });
  };
  const std::string name = outputs_.size() == 1 ? "the output" : fmt::format("'{}'", port.name);
  if (is_written(region.begin, region.offset)) {
    return fmt::format("wrote before the start of {} ({} items)", name, n);
  }
  if (is_written(region.offset, region.offset + bytes_before_results(output, n))) {
    return fmt::format("wrote to {} before the first segment ({} items)", name, n);
  }
  if (is_written(region.offset + kept_bytes, region.offset + region.room)) {
    return fmt::format("wrote beyond the {} items that it keeps ({}, {} items)", kept_bytes / size_of(port.type),
                       port.name, n);
  }
  if (is_written(region.offset + region.room, region.end)) {
    return fmt::format("wrote beyond the end of {} ({} items)", name, n);
  }
  return {};
}

}  // namespace upsweep::tuner
