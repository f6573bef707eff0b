#include "generator/workspace_parts.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep {
namespace {

const std::string& scratch_layout() {
  static const auto& name = *new const std::string("scratch");
  return name;
}

}  // namespace

WorkspaceParts::WorkspaceParts(std::span<const Source> steps, int multiprocessors) : multiprocessors_(multiprocessors) {
  for (const Source& step : steps) {
    Use use;
    if (!step.workspace.layout.empty()) use.state = add_state(step);
    for (const ScratchRule& array : step.scratch) use.scratch.push_back(add_array(array));
    uses_.push_back(std::move(use));
  }
  if (count() > most_workspace_parts) {
    throw Error(ErrorKind::internal, fmt::format("the steps need a workspace of {} parts, but {} are the most: please "
                                                 "report this",
                                                 count(), most_workspace_parts));
  }
}

std::size_t WorkspaceParts::add_state(const Source& step) {
  if (step.workspace.layout == scratch_layout()) {
    throw Error(ErrorKind::internal, "a state has the layout 'scratch', whose memory is not zero: please report this");
  }
  auto at = std::ranges::find(states_, step.workspace.layout, &State::layout);
  if (at == states_.end()) at = states_.insert(at, {.layout = step.workspace.layout, .users = {}});
  at->users.push_back({.launch = step.launch, .workspace = step.workspace});
  return static_cast<std::size_t>(at - states_.begin());
}

std::size_t WorkspaceParts::add_array(const ScratchRule& array) {
  auto at = std::ranges::find(arrays_, array.name, &ScratchRule::name);
  if (at == arrays_.end()) at = arrays_.insert(at, array);
  if (*at != array) {
    throw Error(ErrorKind::internal,
                fmt::format("two steps declare the array '{}' of scratch differently: please report this", array.name));
  }
  return static_cast<std::size_t>(at - arrays_.begin());
}

const std::string& WorkspaceParts::layout(std::size_t part) const {
  return part < states_.size() ? states_[part].layout : scratch_layout();
}

std::string WorkspaceParts::layout() const {
  std::string text;
  for (std::size_t part = 0; part < count(); ++part) text += (part == 0 ? "" : " + ") + layout(part);
  return text;
}

std::uint64_t WorkspaceParts::bytes(std::size_t part, std::uint64_t n) const {
  if (part == index_of_scratch()) return offset(arrays_.size(), n);
  std::uint64_t most = 0;
  for (const Source& user : states_[part].users) most = std::max(most, user.workspace_bytes(n, multiprocessors_));
  return most;
}

std::uint64_t WorkspaceParts::bytes(std::uint64_t n) const {
  std::uint64_t sum = 0;
  for (std::size_t part = 0; part < count(); ++part) sum += bytes(part, n);
  return sum;
}

std::vector<std::uint64_t> WorkspaceParts::split(std::uint64_t given) const {
  if (count() == 0) return {};
  if (count() == 1) return {given};
  std::uint64_t fits = 0, too_many = std::uint64_t{1} << 48;  // more than any memory holds
  while (fits + 1 < too_many) {
    const std::uint64_t middle = fits + (too_many - fits) / 2;
    (bytes(middle) <= given ? fits : too_many) = middle;
  }
  std::vector<std::uint64_t> parts;
  for (std::size_t part = 0; part < count(); ++part) {
    const std::uint64_t own = std::min(bytes(part, fits), given);
    parts.push_back(own);
    given -= own;
  }
  return parts;
}

std::uint64_t WorkspaceParts::offset(std::size_t array, std::uint64_t n) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < array; ++i) sum += arrays_[i].bytes(n, multiprocessors_);
  return sum;
}

}  // namespace upsweep
