#include "tuner/measure/candidate.hpp"

#include <algorithm>
#include <utility>

#include "runtime/engine.hpp"
#include "tuner/measure/rotation_memory.hpp"

namespace upsweep::tuner {
namespace {

// As of the driver's blocks, so of the workspaces of most calls: there are other addresses that cost a call 15%
// (docs/notes/tuning-log.md, "Where a workspace lies").
constexpr std::uint64_t alignment = 512;
static_assert(alignment % WorkspaceRule::header_bytes == 0);

std::byte* aligned(void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return static_cast<std::byte*>(memory) + (round_up(address, alignment) - address);
}

// From place to place all parts of an address change: what memory is dealt out to cache slices by is not known.
std::uint64_t step_for(std::uint64_t bytes) {
  constexpr std::uint64_t large = std::uint64_t{1} << 20, page = 4096;
  return round_up(bytes, large) + page + alignment;
}

// Up to four of 64 places that were timed were bad: their share of these is less than what trimmed means leave out.
constexpr std::uint64_t enough_places = 31;
constexpr std::uint64_t enough_bytes = std::uint64_t{1} << 28;  // fewer places of large workspaces

std::size_t places_for(std::size_t workspaces, std::uint64_t step) {
  return std::max<std::size_t>(workspaces, std::min(enough_places, enough_bytes / step));
}

}  // namespace

WorkspacePlaces::WorkspacePlaces(runtime::Device& device, std::size_t workspaces, std::uint64_t bytes)
    : bytes_(bytes),
      step_(step_for(bytes)),
      places_(places_for(workspaces, step_)),
      memory_(device, places_ * step_ + alignment) {}

void* WorkspacePlaces::at(std::size_t workspace, std::size_t turn) const {
  return aligned(memory_.data()) + (workspace + turn) % places_ * step_;
}

Candidate::Candidate(runtime::Device& device, Plan plan, runtime::Stream stream)
    : device_(&device), plan_(std::move(plan)), stream_(stream) {}

bool Candidate::reserve(std::uint64_t n) {
  const std::uint64_t bytes = plan_.workspace_bytes(n);
  if (reserved_ && bytes <= home_.bytes()) return false;
  reserved_ = false;
  return_home();
  home_ = {};
  if (bytes > 0) memory_ = runtime::Buffer(*device_, bytes + alignment);
  // What is no state holds no zeros: a kernel that reads scratch before it is written is found out.
  if (bytes > 0 && plan_.state().parts.has_scratch()) device_->fill(memory_.data(), 0xa5, memory_.bytes(), stream_);
  home_ = plan_.borrow_workspace(aligned(memory_.data()), bytes, stream_);
  reserved_ = true;
  return true;
}

void Candidate::move(void* memory) {
  if (home_.bytes() > 0) away_ = plan_.borrow_workspace(memory, home_.bytes(), stream_);
}

std::vector<std::uint64_t> Candidate::tiles() const {
  std::vector<std::uint64_t> tiles;
  for (std::size_t step = 0; step < plan_.steps(); ++step) tiles.push_back(plan_.source(step).launch.items_per_tile);
  return tiles;
}

void Candidate::run(const runtime::CallValues& values) const {
  runtime::run(plan_.state(), values, stream_, away_ ? &*away_ : &home_);
}

}  // namespace upsweep::tuner
