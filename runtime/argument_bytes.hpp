// Writes and reads the bytes of the struct that a kernel takes (generator/arguments.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "generator/arguments.hpp"

namespace upsweep::runtime {

// Reads a member of such a struct. `to` has the member's size.
inline void read_argument(const ArgumentsRule& rule, ArgumentOf which, const void* arguments, void* to) {
  const ArgumentMember& argument = rule.members.at(static_cast<std::size_t>(which));
  std::memcpy(to, static_cast<const std::byte*>(arguments) + argument.offset, argument.bytes);
}

class ArgumentBytes {
 public:
  // `initial` points to what the member `initial` holds: a value of the accumulator's type, or the address of one.
  ArgumentBytes(const ArgumentsRule& rule, const void* in, void* out, std::uint64_t n, const void* initial,
                void* workspace) {
    if (rule.members.size() != argument_count || rule.bytes > bytes_.size()) {
      throw Error(ErrorKind::internal, "the arguments of a kernel are not those of a call: please report this");
    }
    const auto set = [&](ArgumentOf which, const void* value) {
      const ArgumentMember& argument = rule.members[static_cast<std::size_t>(which)];
      std::memcpy(bytes_.data() + argument.offset, value, argument.bytes);
    };
    set(ArgumentOf::in, static_cast<const void*>(&in));
    set(ArgumentOf::out, static_cast<const void*>(&out));
    set(ArgumentOf::n, &n);
    set(ArgumentOf::initial, initial);
    set(ArgumentOf::workspace, static_cast<const void*>(&workspace));
  }
  [[nodiscard]] void* data() noexcept { return bytes_.data(); }

 private:
  alignas(16) std::array<std::byte, 64> bytes_{};  // three words, a value of up to 16 bytes, a word, and their padding
};

}  // namespace upsweep::runtime
