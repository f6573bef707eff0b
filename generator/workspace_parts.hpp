// The parts of a plan's workspace: one state for each layout that its steps name, and one scratch for all steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <upsweep/source.hpp>

namespace upsweep {

// The most parts that a plan can have: what a call keeps of each lies on the stack.
constexpr std::size_t most_workspace_parts = 4;

class WorkspaceParts {
 public:
  // What one step uses.
  struct Use {
    std::optional<std::size_t> state = {};  // which part
    std::vector<std::size_t> scratch = {};  // which arrays, in the order of the step's arguments
  };

  WorkspaceParts() = default;
  // For a device of so many multiprocessors. Throws Error (internal) where steps declare an array differently, or need
  // more parts than there may be.
  WorkspaceParts(std::span<const Source> steps, int multiprocessors);

  [[nodiscard]] std::size_t count() const noexcept { return states_.size() + (has_scratch() ? 1 : 0); }
  // The scratch, if there is one, is the last part.
  [[nodiscard]] bool has_scratch() const noexcept { return !arrays_.empty(); }
  [[nodiscard]] std::size_t index_of_scratch() const noexcept { return states_.size(); }
  // The name of a state's layout. Scratch, which has none, has a name that no state has.
  [[nodiscard]] const std::string& layout(std::size_t part) const;
  // The layouts of all parts as one text: equal for workspaces that can serve each other's plans; empty without parts.
  [[nodiscard]] std::string layout() const;
  // For a call of n items, in bytes: multiples of 128, which do not fall as n rises.
  [[nodiscard]] std::uint64_t bytes(std::size_t part, std::uint64_t n) const;
  [[nodiscard]] std::uint64_t bytes(std::uint64_t n) const;
  // How many bytes each part has of a workspace of so many: enough for as many items as possible. A workspace serves
  // calls of different sizes, so its parts must not lie where n says.
  [[nodiscard]] std::vector<std::uint64_t> split(std::uint64_t bytes) const;

  [[nodiscard]] const Use& use(std::size_t step) const { return uses_[step]; }
  // Where an array begins in the scratch of a call of n items, in bytes.
  [[nodiscard]] std::uint64_t offset(std::size_t array, std::uint64_t n) const;

 private:
  struct State {
    std::string layout;
    std::vector<Source> users;  // without their texts
  };
  [[nodiscard]] std::size_t add_state(const Source& step);
  [[nodiscard]] std::size_t add_array(const ScratchRule& array);

  int multiprocessors_ = 0;
  std::vector<State> states_;
  std::vector<ScratchRule> arrays_;
  std::vector<Use> uses_;  // by step
};

}  // namespace upsweep
