#include "runtime/cache/record.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/hash.hpp"

namespace upsweep::runtime {
namespace {

// Layout, in the machine's byte order (a cache is one machine's, and another order fails on `format`):
//   header | identity | binary
// The checksum is over identity and binary; every other field of the header is checked by its value.
struct Header {
  std::array<char, 8> magic{'u', 'p', 's', 'w', 'e', 'e', 'p', '\n'};
  std::uint32_t format = 1;
  std::uint32_t identity_bytes = 0;
  std::uint64_t binary_bytes = 0;
  std::uint64_t checksum_low = 0;
  std::uint64_t checksum_high = 0;

  bool operator==(const Header&) const = default;
};
static_assert(sizeof(Header) == 40, "no padding: every byte of the header is checked");

constexpr std::size_t digits = 32;
constexpr std::string_view suffix = ".bin";

Header header_of(std::string_view identity, std::span<const std::byte> content) {
  const XXH128_hash_t checksum = XXH3_128bits(content.data(), content.size());
  Header header;
  header.identity_bytes = static_cast<std::uint32_t>(identity.size());
  header.binary_bytes = content.size() - identity.size();
  header.checksum_low = checksum.low64;
  header.checksum_high = checksum.high64;
  return header;
}

}  // namespace

std::string record_name(std::string_view identity) {
  return base::hash(identity).append(suffix);
}

bool is_record_name(std::string_view name) noexcept {
  return name.size() == digits + suffix.size() && name.ends_with(suffix) &&
         name.find_first_not_of("0123456789abcdef") == digits;
}

std::vector<std::byte> encode_record(std::string_view identity, std::span<const std::byte> binary) {
  std::vector<std::byte> record(sizeof(Header) + identity.size() + binary.size());
  std::byte* const content = record.data() + sizeof(Header);
  std::memcpy(content, identity.data(), identity.size());
  if (!binary.empty()) std::memcpy(content + identity.size(), binary.data(), binary.size());
  const Header header = header_of(identity, std::span(record).subspan(sizeof(Header)));
  std::memcpy(record.data(), &header, sizeof header);
  return record;
}

std::optional<std::vector<std::byte>> decode_record(std::span<const std::byte> record, std::string_view identity) {
  if (record.size() < sizeof(Header) + identity.size()) return std::nullopt;
  const std::span<const std::byte> content = record.subspan(sizeof(Header));
  if (std::memcmp(content.data(), identity.data(), identity.size()) != 0) return std::nullopt;
  Header header;
  std::memcpy(&header, record.data(), sizeof header);
  if (header != header_of(identity, content)) return std::nullopt;
  const std::span<const std::byte> binary = content.subspan(identity.size());
  return std::vector<std::byte>(binary.begin(), binary.end());
}

std::string identity_of_record(std::span<const std::byte> start) {
  Header header;
  if (start.size() < sizeof header) return {};
  std::memcpy(&header, start.data(), sizeof header);
  const std::span<const std::byte> rest = start.subspan(sizeof header);
  if (header.magic != Header{}.magic || header.format != Header{}.format || header.identity_bytes > rest.size()) {
    return {};
  }
  return std::string(reinterpret_cast<const char*>(rest.data()), header.identity_bytes);
}

}  // namespace upsweep::runtime
