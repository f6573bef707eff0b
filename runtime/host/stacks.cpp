#include "runtime/host/stacks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/file_handle.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::size_t stack_bytes = 64 * 1024;
constexpr std::size_t colours = 61;        // prime, so that neighbouring blocks differ too
constexpr std::size_t colour_bytes = 256;  // four cache lines
constexpr std::size_t most_kept = 8192;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t usable_bytes() {
  const std::size_t pages = (stack_bytes + colours * colour_bytes + page_bytes() - 1) / page_bytes();
  return pages * page_bytes();
}

std::size_t mapped_bytes() {
  return usable_bytes() + page_bytes();
}

[[noreturn]] void throw_no_memory() {
  throw DeviceError(
      fmt::format("the host device cannot allocate the stack of a thread ({}): use fewer threads per block",
                  base::error_text(errno)));
}

}  // namespace

HostStack::HostStack(std::size_t colour) {
  void* mapping = ::mmap(nullptr, mapped_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw_no_memory();
  auto* const bottom = static_cast<std::byte*>(mapping) + page_bytes();
  if (::mprotect(bottom, usable_bytes(), PROT_READ | PROT_WRITE) != 0) {
    const int error = errno;
    ::munmap(mapping, mapped_bytes());
    errno = error;
    throw_no_memory();
  }
  mapping_ = mapping;
  context_.size = usable_bytes() - colour % colours * colour_bytes;
  context_.sp = bottom + context_.size;
}

HostStack::HostStack(HostStack&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)), context_(other.context_) {}

HostStack& HostStack::operator=(HostStack&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(context_, other.context_);
  return *this;
}

HostStack::~HostStack() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_bytes());
}

std::vector<HostStack> HostStacks::take(std::size_t count) {
  std::vector<HostStack> taken;
  taken.reserve(count);
  {
    const std::lock_guard lock(mutex_);
    while (taken.size() < count && !free_.empty()) {
      taken.push_back(std::move(free_.back()));
      free_.pop_back();
    }
  }
  while (taken.size() < count) taken.emplace_back(taken.size());
  return taken;
}

void HostStacks::give_back(std::vector<HostStack> stacks) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    while (!stacks.empty() && free_.size() < most_kept) {
      free_.push_back(std::move(stacks.back()));
      stacks.pop_back();
    }
  } catch (const std::bad_alloc&) {
    return;  // what was not kept is unmapped
  }
}

}  // namespace upsweep::runtime
