// What a call gives to a kernel, and the bytes of the struct that the kernel takes (generator/arguments.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "generator/arguments.hpp"

namespace upsweep::runtime {

// How many items a call has, and for how many results there is room, where the host's n does not say it.
struct CallLimits {
  const void* items = nullptr;    // device address of the number of items; null: n is the number
  std::uint64_t items_bytes = 0;  // size of that number: 4 or 8; 0: n is the number
  std::uint64_t capacity = std::numeric_limits<std::uint64_t>::max();  // results that there is room for
  bool operator==(const CallLimits&) const = default;
};

struct CallValues {
  std::array<const void*, most_arrays> arrays{};  // device addresses, in the order of ports(problem)
  std::uint64_t n = 0;  // of items; the most there can be where their number is in device memory
  // In the order of scalars(problem): where on the host the value lies, or the device address of the value.
  std::array<const void*, most_scalars> scalars{};
  CallLimits limits{};
  // How the items are divided, where the problem's shape is not flat: of an axis, `rows` is the number of columns, and
  // of segments, that of segments.
  std::uint64_t rows = 0, row_length = 0;
  std::uint64_t inner = 0;                    // of an axis: how many items neighbours are apart
  std::uint64_t in_pitch = 0, out_pitch = 0;  // of rows: how many items the begins of neighbours are apart
  // Of segments given by pairs: the device address of their ends, where the array of offsets is their begins.
  const void* segment_ends = nullptr;
  bool has_segment_ends = false;
  bool segments_are_unordered = false;
  bool offsets_are_known = false;  // to ascend: nobody checks them
};

// Reads a member of such a struct. `to` has the member's size.
inline void read_argument(const ArgumentsRule& rule, std::size_t index, const void* arguments, void* to) {
  const ArgumentMember& argument = rule.members.at(index);
  std::memcpy(to, static_cast<const std::byte*>(arguments) + argument.offset, argument.bytes);
}

class ArgumentBytes {
 public:
  // `scratch`: the addresses of the arrays of scratch that the kernel uses.
  ArgumentBytes(const ArgumentsRule& rule, const CallValues& values, void* workspace,
                std::span<void* const> scratch = {}) {
    const std::size_t scalars = index_of_scalars(rule), last = index_of_workspace(rule);
    if (rule.arrays > most_arrays || last < scalars || last - scalars > most_scalars || rule.bytes > bytes_.size() ||
        rule.scratch != scratch.size()) {
      throw Error(ErrorKind::internal, "the arguments of a kernel are not those of a call: please report this");
    }
    const auto set = [&](std::size_t index, const void* value) {
      const ArgumentMember& argument = rule.members[index];
      std::memcpy(bytes_.data() + argument.offset, value, argument.bytes);
    };
    for (std::size_t i = 0; i < rule.arrays; ++i) set(i, static_cast<const void*>(&values.arrays[i]));
    set(index_of_n(rule), &values.n);
    const std::uint64_t& third = values.in_pitch > 0 ? values.in_pitch : values.inner;  // of rows, or of an axis
    const std::array<const void*, most_shape_members> shape{&values.rows, &values.row_length, &third,
                                                            &values.out_pitch};
    for (std::size_t i = 0; i < rule.shape; ++i) set(index_of_n(rule) + 1 + i, shape[i]);
    for (std::size_t i = scalars; i < last; ++i) set(i, values.scalars[i - scalars]);
    set(last, static_cast<const void*>(&workspace));
    for (std::size_t i = 0; i < scratch.size(); ++i) set(last + 1 + i, static_cast<const void*>(&scratch[i]));
    if (rule.segment_ends > 0) set(last + 1 + scratch.size(), static_cast<const void*>(&values.segment_ends));
    if (rule.limits == 0) return;
    const CallLimits& limits = values.limits;
    const void* const members[limit_members] = {&limits.items, &limits.items_bytes, &limits.capacity};
    for (std::size_t i = 0; i < limit_members; ++i) set(last + 1 + scratch.size() + i, members[i]);
  }
  [[nodiscard]] void* data() noexcept { return bytes_.data(); }

 private:
  // Words for arrays, n, workspace, scratch and limits, and values of up to 16 bytes with the padding before them.
  alignas(16) std::array<std::byte, 8 * (most_arrays + most_scratch_arrays + most_shape_members + limit_members) + 16 +
                                        32 * most_scalars> bytes_{};
};

}  // namespace upsweep::runtime
