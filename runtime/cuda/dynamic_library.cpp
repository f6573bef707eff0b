#include "runtime/cuda/dynamic_library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <cstring>

#include <fmt/format.h>

namespace upsweep::runtime {
namespace {

// The build ID among the notes of a segment (ELF gABI, "Note Section": sizes of name and content, type, both padded).
std::string build_id(const char* notes, std::size_t bytes) {
  constexpr auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  ElfW(Nhdr) note;
  while (bytes >= sizeof note) {
    std::memcpy(&note, notes, sizeof note);
    const std::size_t content = sizeof note + padded(note.n_namesz), end = content + padded(note.n_descsz);
    if (end > bytes) return {};
    std::string id;
    for (std::size_t i = 0; i < note.n_descsz; ++i) {
      id += fmt::format("{:02x}", static_cast<unsigned char>(notes[content + i]));
    }
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes + sizeof note, "GNU", 4) == 0)
      return id;
    notes += end;
    bytes -= end;
  }
  return {};
}

struct Sought {
  ElfW(Addr) base;
  std::string id;
};

int look(dl_phdr_info* info, std::size_t /*size*/, void* sought) {
  auto& wanted = *static_cast<Sought*>(sought);
  if (info->dlpi_addr != wanted.base) return 0;
  for (int i = 0; i < info->dlpi_phnum && wanted.id.empty(); ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    wanted.id = build_id(reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  }
  return 1;
}

}  // namespace

std::shared_ptr<DynamicLibrary> DynamicLibrary::open(const std::vector<std::string>& candidates, std::string& reason) {
  for (const std::string& candidate : candidates) {
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      return std::shared_ptr<DynamicLibrary>(new DynamicLibrary(handle, candidate));
    }
  }
  reason = "looked for ";
  for (const std::string& candidate : candidates) reason += (&candidate == &candidates.front() ? "" : ", ") + candidate;
  return nullptr;
}

DynamicLibrary::~DynamicLibrary() {
  dlclose(handle_);
}

std::string DynamicLibrary::build() const {
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return "of unknown build";
  Sought sought{.base = map->l_addr, .id = {}};
  dl_iterate_phdr(look, &sought);
  if (!sought.id.empty()) return "build " + sought.id;
  struct stat status {};
  if (::stat(map->l_name, &status) != 0) return "of unknown build";
  return fmt::format("file of {} bytes of {}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

void* DynamicLibrary::symbol(const char* name) const noexcept {
  return dlsym(handle_, name);
}

}  // namespace upsweep::runtime
