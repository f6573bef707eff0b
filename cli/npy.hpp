// NumPy's .npy format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <upsweep/types.hpp>

namespace upsweep::cli {

// What the header of a .npy file says.
struct NpyHeader {
  Type type = Type::i32;
  std::uint64_t items = 0;      // of all dimensions together
  std::size_t data_offset = 0;  // bytes before the first item
};

// What is done with an array of NumPy's type bool: an error, or its bytes are items of u8, 0 for False and 1 for True.
enum class Booleans { refused, as_u8 };

[[nodiscard]] bool is_npy(std::span<const std::byte> bytes) noexcept;

// Reads the header at the start of a file's bytes and checks that the data after it are all there. `label` names the
// file in messages. Throws InputError for a damaged or short file and for what upsweep does not compute with.
[[nodiscard]] NpyHeader parse_npy(std::span<const std::byte> bytes, const std::string& label,
                                  Booleans booleans = Booleans::refused);

// The bytes before the data of a one-dimensional array (version 1.0). Throws UsageError for bf16, which the format
// lacks.
[[nodiscard]] std::string npy_header(Type type, std::uint64_t items);

}  // namespace upsweep::cli
