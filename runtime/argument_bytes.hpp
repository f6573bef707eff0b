// What a call gives to a kernel, and the bytes of the struct that the kernel takes (generator/arguments.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "generator/arguments.hpp"

namespace upsweep::runtime {

struct CallValues {
  std::array<const void*, most_arrays> arrays{};  // device addresses, in the order of ports(problem)
  std::uint64_t n = 0;
  // In the order of scalars(problem): where on the host the value lies, or the device address of the value.
  std::array<const void*, most_scalars> scalars{};
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
    for (std::size_t i = scalars; i < last; ++i) set(i, values.scalars[i - scalars]);
    set(last, static_cast<const void*>(&workspace));
    for (std::size_t i = 0; i < scratch.size(); ++i) set(last + 1 + i, static_cast<const void*>(&scratch[i]));
  }
  [[nodiscard]] void* data() noexcept { return bytes_.data(); }

 private:
  // Words for arrays, n, workspace and scratch, and values of up to 16 bytes with the padding before them.
  alignas(16) std::array<std::byte, 8 * (most_arrays + most_scratch_arrays) + 16 + 32 * most_scalars> bytes_{};
};

}  // namespace upsweep::runtime
