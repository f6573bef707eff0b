#include "tests/support/port_case.hpp"

#include <algorithm>
#include <list>

#include <upsweep/port.hpp>

#include "tests/support/guarded_memory.hpp"

namespace upsweep::test {
namespace {

// Arrays of a call in device memory, and what is to be in those that are written.
class PlacedCase {
 public:
  PlacedCase(runtime::Device& device, const Problem& problem, const PortCase& call, const Layout& layout, Stream stream)
      : device_(device),
        call_(call),
        layout_(layout),
        stream_(stream),
        arguments_(call.rows       ? Arguments(*call.rows)
                   : call.axis     ? Arguments(*call.axis)
                   : call.segments ? Arguments(segments_of(problem))
                                   : Arguments(place_items())) {
    const std::vector<Port> all = ports(problem);
    for (const Port& port : all) {
      if (port.direction == Direction::in) place_input(port);
    }
    for (const Port& port : all) {
      if (port.direction == Direction::out) place_output(port);
    }
    for (const auto& [name, value] : call.scalars) place_scalar(name, value);
  }

  [[nodiscard]] const Arguments& arguments() const { return arguments_; }

  [[nodiscard]] std::optional<std::string> difference() const {
    for (const auto& [name, output] : outputs_) {
      auto wrong = first_difference(output.expected, output.memory->fetch(stream_), name.c_str(), output.item_bytes);
      if (wrong) return wrong;
    }
    return std::nullopt;
  }

 private:
  // The address of the offsets follows.
  [[nodiscard]] Segments segments_of(const Problem& problem) {
    const Type type = problem.key.value();
    if (call_.segment_ends.empty()) return {nullptr, type, *call_.segments, call_.n};
    const GuardedMemory& ends = make_memory(call_.segment_ends.size(), layout_.in_offset * size_of(type));
    device_.copy_to_device(ends.data(), call_.segment_ends.data(), call_.segment_ends.size(), stream_);
    return {nullptr, ends.data(), type, *call_.segments, call_.n, call_.segments_are_unordered};
  }

  Items place_items() {
    Items items = call_.n;
    if (call_.items_in_memory != 0) {
      const GuardedMemory& memory = make_memory(static_cast<std::uint64_t>(call_.items_in_memory), 0);
      device_.copy_to_device(memory.data(), &call_.in_memory, static_cast<std::uint64_t>(call_.items_in_memory),
                             stream_);
      items = call_.items_in_memory == 4
                  ? items_in_memory(reinterpret_cast<const std::uint32_t*>(memory.data()), call_.most)
                  : items_in_memory(reinterpret_cast<const std::uint64_t*>(memory.data()), call_.most);
    }
    if (call_.capacity) items.capacity(*call_.capacity);
    return items;
  }

  // Items that an array has room for.
  [[nodiscard]] std::uint64_t room_of(const Port& port) const {
    const std::uint64_t rows = call_.rows   ? call_.rows->count()
                               : call_.axis ? call_.axis->columns()
                                            : call_.segments.value_or(1);
    if (port.extent == Extent::n && call_.rows) {
      const std::uint64_t pitch = port.direction == Direction::in ? call_.rows->in_pitch() : call_.rows->out_pitch();
      return call_.n == 0 ? 0 : (rows - 1) * pitch + call_.rows->length();
    }
    if (port.extent == Extent::offsets && !call_.segment_ends.empty()) return rows;
    const std::uint64_t items = port.items(std::max(call_.n, call_.most), rows);
    return port.extent == Extent::at_most_n && call_.capacity ? std::min(items, *call_.capacity) : items;
  }

  struct Output {
    const GuardedMemory* memory;
    std::vector<std::byte> expected;
    std::size_t item_bytes;
  };

  const GuardedMemory& make_memory(std::uint64_t bytes, std::size_t offset) {
    return memories_.emplace_back(device_, bytes, offset, stream_);
  }

  void place_input(const Port& port) {
    const std::vector<std::byte>& items = call_.inputs.at(port.name);
    const GuardedMemory& memory =
        make_memory(room_of(port) * size_of(port.type), (inputs_.size() + 1) * layout_.in_offset * size_of(port.type));
    device_.copy_to_device(memory.data(), items.data(), items.size(), stream_);
    arguments_.array(port.name, static_cast<const void*>(memory.data()));
    inputs_.emplace(port.name, &memory);
  }

  void place_output(const Port& port) {
    const std::size_t size = size_of(port.type);
    const auto replaced = call_.in_place.find(port.name);
    const bool in_place = layout_.in_place && replaced != call_.in_place.end();
    const std::size_t offset = port.extent == Extent::one ? 0 : (layout_.out_offset + outputs_.size()) * size;
    const GuardedMemory& memory = in_place ? *inputs_.at(replaced->second) : make_memory(room_of(port) * size, offset);
    std::vector<std::byte> results = call_.results.at(port.name);
    if (port.extent == Extent::at_most_n) results.resize(std::min<std::size_t>(results.size(), room_of(port) * size));
    Output output{&memory, memory.fetch(stream_), size};
    const std::uint64_t first = memory.offset() + call_.first_result * size;
    for (const Gap& gap : call_.gaps) {
      std::copy_n(output.expected.begin() + static_cast<std::ptrdiff_t>(first + gap.begin * size),
                  (gap.end - gap.begin) * size, results.begin() + static_cast<std::ptrdiff_t>(gap.begin * size));
    }
    std::copy(results.begin(), results.end(), output.expected.begin() + static_cast<std::ptrdiff_t>(first));
    outputs_.emplace(port.name, std::move(output));
    arguments_.array(port.name, memory.data());
  }

  void place_scalar(const std::string& name, const Scalar& value) {
    if (!layout_.initial_in_memory) {
      arguments_.scalar(name, value);
      return;
    }
    const GuardedMemory& memory = make_memory(size_of(value.type), 0);
    device_.copy_to_device(memory.data(), value.bytes.data(), size_of(value.type), stream_);
    arguments_.scalar_in_memory(name, memory.data());
  }

  runtime::Device& device_;
  const PortCase& call_;
  const Layout& layout_;
  Stream stream_;
  std::list<GuardedMemory> memories_;
  Arguments arguments_;
  std::map<std::string, const GuardedMemory*> inputs_;
  std::map<std::string, Output> outputs_;
};

}  // namespace

std::optional<std::string> run_and_compare(runtime::Device& device, const Plan& plan, const PortCase& call,
                                           const Layout& layout, Stream stream) {
  const PlacedCase placed(device, plan.problem(), call, layout, stream);
  plan.run(placed.arguments(), stream);
  return placed.difference();
}

}  // namespace upsweep::test
