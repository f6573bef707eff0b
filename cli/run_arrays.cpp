#include "cli/run_arrays.hpp"

#include <algorithm>

#include "generator/algorithm.hpp"
#include "generator/shape.hpp"

namespace upsweep::cli {

CallArrays::CallArrays(runtime::Device& device, const Problem& problem, const RunInput& input)
    : device_(device),
      problem_(problem),
      ports_(ports(problem)),
      items_(input.n()),
      rows_(input.rows),
      axis_(input.axis),
      dimension_(input.dimension),
      segments_(input.offsets ? std::optional(input.segments()) : std::nullopt),
      shape_(input.items.shape) {
  if (input.segment_ends) {
    const std::vector<std::byte>& ends = input.segment_ends->bytes;
    segment_ends_.emplace(device, std::max<std::size_t>(ends.size(), 1));
    if (!ends.empty()) device.copy_to_device(segment_ends_->data(), ends.data(), ends.size(), nullptr);
  }
  for (const Port& port : ports_) {
    const std::size_t bytes = places_in(port) * size_of(port.type);
    buffers_.emplace_back(device, std::max<std::size_t>(bytes, 1));  // never none, so that its address can be passed
    if (port.direction == Direction::out) {
      // Scans leave what is in no segment as it is.
      if (segments_) device.fill(buffers_.back().data(), 0, std::max<std::size_t>(bytes, 1), nullptr);
      continue;
    }
    const Array& read = port.is_key ? *input.keys : port.extent == Extent::offsets ? *input.offsets : input.items;
    const std::size_t held = std::min(bytes, read.bytes.size());  // of pairs, there is no offset behind the last begin
    if (held > 0) device.copy_to_device(buffers_.back().data(), read.bytes.data(), held, nullptr);
  }
}

Arguments CallArrays::arguments_without_arrays(std::uint64_t n) const {
  if (segment_ends_) {
    return Arguments(Segments(nullptr, segment_ends_->data(), problem_.key.value(), *segments_, items_,
                              problem_.unordered_segments));
  }
  if (segments_) return Arguments(Segments(nullptr, problem_.key.value(), *segments_, items_));
  if (axis_) return Arguments(n == items_ ? *axis_ : smaller_axis(n));
  if (!rows_) return Arguments(n);
  return Arguments(
      n == items_ ? *rows_ : rows(n / rows_->length(), rows_->length()).pitch(rows_->in_pitch(), rows_->out_pitch()));
}

Arguments CallArrays::arguments(std::uint64_t n) const {
  Arguments arguments = arguments_without_arrays(n);
  for (std::size_t i = 0; i < ports_.size(); ++i) arguments.array(ports_[i].name, buffers_[i].data());
  return arguments;
}

RunResults CallArrays::results() const {
  RunResults results;
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    if (ports_[i].direction == Direction::in || is_count(ports_[i])) continue;
    results.arrays.push_back(fetch(i));
  }
  if (is_partition(problem_)) {
    name_parts(results);
  } else {
    results.with_keys = results.arrays.size() == 2;
  }
  return results;
}

Axis CallArrays::smaller_axis(std::uint64_t n) const {
  const std::uint64_t inner = std::max<std::uint64_t>(inner_of(problem_, n), 1);
  return axis(rows_of(problem_, n) / inner, length_of_rows(problem_, n), inner);
}

bool CallArrays::is_count(const Port& port) const {
  return std::ranges::any_of(ports_, [&](const Port& each) { return each.count == port.name; });
}

Array CallArrays::fetch(std::size_t index) const {
  const Port& port = ports_[index];
  std::uint64_t items = items_of(port);
  if (port.extent == Extent::at_most_n) items = counted_items(port);
  Array array{port.type, items, std::vector<std::byte>(items * size_of(port.type))};
  if (items > 0) device_.copy_to_host(array.bytes.data(), buffers_[index].data(), array.bytes.size(), nullptr);
  array.shape = shape_;
  if (port.extent == Extent::rows && !shape_.empty())
    array.shape.erase(array.shape.begin() + static_cast<std::ptrdiff_t>(dimension_));
  return array;
}

std::uint64_t CallArrays::items_of(const Port& port) const {
  return port.items(items_, rows_ ? rows_->count() : axis_ ? axis_->columns() : segments_.value_or(1));
}

std::uint64_t CallArrays::places_in(const Port& port) const {
  if (!rows_ || port.extent != Extent::n || port.direction == Direction::out) return items_of(port);
  return places_of(rows_->count(), rows_->length(), rows_->in_pitch());
}

std::uint64_t CallArrays::counted_items(const Port& port) const {
  const auto count = static_cast<std::size_t>(std::ranges::find(ports_, port.count, &Port::name) - ports_.begin());
  std::uint64_t items = 0;
  device_.copy_to_host(&items, buffers_[count].data(), size_of(ports_[count].type), nullptr);  // little-endian
  return items;
}

void CallArrays::name_parts(RunResults& results) const {
  const std::vector<Port> outputs = tile_outputs(problem_);
  if (outputs.size() == 1) {
    const std::uint64_t in_front = counted_items(outputs.front());
    results.parts = {{"in front", in_front}, {"behind", items_ - in_front}};
    return;
  }
  Array& whole = results.arrays.front();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Array& part = results.arrays[i];
    results.parts.push_back({outputs[i].name, part.items});
    if (i > 0) whole.bytes.insert(whole.bytes.end(), part.bytes.begin(), part.bytes.end());
  }
  whole.items = items_;
  results.arrays.resize(1);
}

}  // namespace upsweep::cli
