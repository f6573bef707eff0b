// The content of a cache file: a binary with its identity and a checksum, so that damage and mix-ups are seen.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::runtime {

// 32 hexadecimal digits (XXH3-128 of the identity) and ".bin".
[[nodiscard]] std::string record_name(std::string_view identity);
[[nodiscard]] bool is_record_name(std::string_view name) noexcept;

[[nodiscard]] std::vector<std::byte> encode_record(std::string_view identity, std::span<const std::byte> binary);
// Nothing unless the bytes are exactly what encode_record makes of this identity and some binary.
[[nodiscard]] std::optional<std::vector<std::byte>> decode_record(std::span<const std::byte> record,
                                                                  std::string_view identity);

// Where the identity ends in every record whose identity is no longer than this: enough to read to list one.
inline constexpr std::size_t record_start_bytes = 4096;
// The identity in the first bytes of a record; empty if there is none. The checksum is not looked at.
[[nodiscard]] std::string identity_of_record(std::span<const std::byte> start);

}  // namespace upsweep::runtime
