// A candidate: the plan of a config that a tune runs, with workspaces of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <upsweep/plan.hpp>

#include "runtime/argument_bytes.hpp"
#include "runtime/device.hpp"

namespace upsweep::tuner {

// Memory in which workspaces are put in one place after the other. Where a workspace lies is worth a few percent of a
// small call's time for as long as it lies there, to each kernel in its own way.
class WorkspacePlaces {
 public:
  // For so many workspaces at a time, of so many bytes each. Throws DeviceError where memory is short.
  WorkspacePlaces(runtime::Device& device, std::size_t workspaces, std::uint64_t bytes);
  [[nodiscard]] bool have_room(std::size_t workspaces, std::uint64_t bytes) const {
    return workspaces <= places_ && bytes <= bytes_;
  }
  // In one turn no two workspaces share a place; turn by turn each of them goes through all.
  [[nodiscard]] void* at(std::size_t workspace, std::size_t turn) const;

 private:
  std::uint64_t bytes_;
  std::uint64_t step_;
  std::size_t places_;
  runtime::Buffer memory_;
};

// A plan with a workspace and a stream that nothing else uses: a candidate that leaves its workspace in disorder
// spoils neither the next one nor the caller's own calls.
class Candidate {
 public:
  Candidate(runtime::Device& device, Plan plan, runtime::Stream stream);
  // Makes room for calls of up to n items; nothing of this candidate may be running. False if there was room:
  // recordings of its calls stay good.
  bool reserve(std::uint64_t n);
  [[nodiscard]] std::uint64_t workspace_bytes() const noexcept { return home_.bytes(); }
  // Works in other memory from the next call on, of as many bytes as its own workspace, until it returns. Others may
  // use that memory when they come after its last call there in the stream.
  void move(void* memory);
  void return_home() noexcept { away_.reset(); }
  void run(const runtime::CallValues& values) const;
  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  // Number of items in a tile, for each step.
  [[nodiscard]] std::vector<std::uint64_t> tiles() const;

 private:
  runtime::Device* device_;
  Plan plan_;
  runtime::Stream stream_;
  runtime::Buffer memory_;
  BorrowedWorkspace home_;
  std::optional<BorrowedWorkspace> away_;
  bool reserved_ = false;
};

}  // namespace upsweep::tuner
