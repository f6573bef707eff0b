// NumPy's .npy format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <upsweep/types.hpp>

namespace upsweep::cli {

// What the header of a .npy file says.
struct NpyHeader {
  Type type = Type::i32;
  std::uint64_t items = 0;             // of all dimensions together
  std::size_t data_offset = 0;         // bytes before the first item
  std::vector<std::uint64_t> shape{};  // the extent of each dimension
};

// What is done with an array of NumPy's type bool: an error, or its bytes are items of u8, 0 for False and 1 for True.
enum class Booleans { refused, as_u8 };

// Whether an array of several dimensions is an error, or one whose last dimension lies in memory item by item is not.
enum class Dimensions { one, any };

[[nodiscard]] bool is_npy(std::span<const std::byte> bytes) noexcept;

// Reads the header at the start of a file's bytes and checks that the data after it are all there. `label` names the
// file in messages. Throws InputError for a damaged or short file and for what upsweep does not compute with.
[[nodiscard]] NpyHeader parse_npy(std::span<const std::byte> bytes, const std::string& label,
                                  Booleans booleans = Booleans::refused, Dimensions dimensions = Dimensions::one);

// The bytes before the data of an array with these extents (version 1.0). Throws UsageError for bf16, which the format
// lacks.
[[nodiscard]] std::string npy_header(Type type, std::span<const std::uint64_t> shape);

}  // namespace upsweep::cli
