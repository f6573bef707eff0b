#include "runtime/machine_code.hpp"

#include <elf.h>

#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace upsweep::runtime {
namespace {

constexpr std::uint16_t cuda_machine = 190;  // EM_CUDA, which not every elf.h has
// Not .nv.info alone: it holds sizes by the numbers of symbols, which say nothing of the code.
constexpr std::array<std::string_view, 5> parts{".text.", ".nv.constant", ".nv.shared.", ".nv.info.", ".nv.global"};

template <typename Struct>
std::optional<Struct> read(std::span<const std::byte> bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Struct)) return std::nullopt;
  Struct value;
  std::memcpy(&value, bytes.data() + at, sizeof(Struct));
  return value;
}

std::optional<std::span<const std::byte>> part_of(std::span<const std::byte> bytes, std::uint64_t at,
                                                  std::uint64_t count) {
  if (at > bytes.size() || bytes.size() - at < count) return std::nullopt;
  return bytes.subspan(at, count);
}

bool is_cubin(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_machine == cuda_machine && header.e_shentsize == sizeof(Elf64_Shdr);
}

bool counts(std::string_view name) {
  for (const std::string_view part : parts) {
    if (name.starts_with(part)) return true;
  }
  return false;
}

class Hash {
 public:
  Hash() { XXH3_128bits_reset(&state_); }
  void add(const void* data, std::size_t bytes) { XXH3_128bits_update(&state_, data, bytes); }
  [[nodiscard]] std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  XXH3_state_t state_;
};

// Adds the sections that count, each with its name, flags (registers stand in sh_info) and size; false if the file is
// not what it says.
bool add_sections(std::span<const std::byte> binary, const Elf64_Ehdr& header, Hash& hash) {
  const auto names = read<Elf64_Shdr>(binary, header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof(Elf64_Shdr));
  const auto text = names ? part_of(binary, names->sh_offset, names->sh_size) : std::nullopt;
  if (!text || text->empty() || text->back() != std::byte{0}) return false;
  bool any = false;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(binary, header.e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
    if (!section || section->sh_name >= text->size()) return false;
    const std::string_view name(reinterpret_cast<const char*>(text->data()) + section->sh_name);
    if (!counts(name)) continue;
    hash.add(name.data(), name.size());
    const std::array<std::uint64_t, 2> sizes{section->sh_size, std::uint64_t{section->sh_info} >> 24};
    hash.add(sizes.data(), sizeof(sizes));
    if (section->sh_type == SHT_NOBITS) continue;
    const auto content = part_of(binary, section->sh_offset, section->sh_size);
    if (!content) return false;
    hash.add(content->data(), content->size());
    any = true;
  }
  return any;
}

}  // namespace

std::string hash_machine_code(std::span<const std::byte> binary) {
  if (const auto header = read<Elf64_Ehdr>(binary, 0); header && is_cubin(*header)) {
    Hash hash;
    if (add_sections(binary, *header, hash)) return hash.text();
  }
  Hash hash;
  hash.add(binary.data(), binary.size());
  return hash.text();
}

std::string combined_machine_code(std::span<const std::string> hashes) {
  if (hashes.size() == 1) return hashes.front();
  Hash hash;
  for (const std::string& each : hashes) hash.add(each.data(), each.size());
  return hash.text();
}

}  // namespace upsweep::runtime
