// Workspaces of calls that are captured into graphs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "generator/workspace_parts.hpp"
#include "runtime/device.hpp"
#include "runtime/workspace_pool.hpp"

namespace upsweep::runtime {

// A captured call may take the memory of an earlier call of the same capture only if it runs after that call in every
// replay, as the graph's edges say: calls on branches that may run side by side have memory of their own, whatever
// stream they were captured on. Memory returns to the pool when the graph, its copies and its executables are gone.
//
// Thread-safe; calls of one object are captured one at a time.
class CapturedWorkspaces {
 public:
  CapturedWorkspaces(Device& device, WorkspacePool& pool) : device_(device), pool_(pool) {}
  CapturedWorkspaces(const CapturedWorkspaces&) = delete;
  CapturedWorkspaces& operator=(const CapturedWorkspaces&) = delete;
  ~CapturedWorkspaces();

  // Calls `launch(memory)`, which adds one call to the capture that the stream is in, with an address for each request.
  // The call may be several launches: the memory is free again behind the last one.
  template <typename Launch>
  void lend(std::uint64_t capture, std::span<const WorkspaceRequest> requests, Stream stream, const Launch& launch) {
    const std::lock_guard lock(mutex_);
    std::array<std::size_t, most_workspace_parts> loans{};
    for (std::size_t i = 0; i < requests.size(); ++i) loans[i] = find(capture, requests[i], stream);
    const std::span<Loan> all = captures_[capture].loans;
    std::array<void*, most_workspace_parts> memory{};
    for (std::size_t i = 0; i < requests.size(); ++i) memory[i] = all[loans[i]].memory->data();
    const auto note_last = [&] {
      const CapturedCall last = device_.last_captured(stream);
      for (std::size_t i = 0; i < requests.size(); ++i) all[loans[i]].last_call = last;
    };
    try {
      launch(memory.data());
    } catch (...) {
      note_last();  // launches before the one that failed are part of the graph
      throw;
    }
    note_last();
  }

  // Sees to it that the next capture's first call allocates nothing.
  void reserve(std::uint32_t layout, std::uint64_t bytes);

 private:
  struct Loan {
    std::unique_ptr<WorkspaceMemory> memory;
    CapturedCall last_call = nullptr;  // that uses the memory; null: unknown, so that no other may
  };
  struct Capture {
    std::vector<Loan> loans;
    bool ends = false;  // the device tells when its graph is gone
  };
  // Captures whose graphs are gone: a stack that the driver's own threads push to without a lock, because what they
  // call must neither block nor use the driver.
  struct Ended;
  struct Notice;

  static void graph_is_gone(void* notice) noexcept;
  // The index of a loan that the next call on the stream may use.
  [[nodiscard]] std::size_t find(std::uint64_t capture, const WorkspaceRequest& request, Stream stream);
  void collect();

  Device& device_;
  WorkspacePool& pool_;
  std::mutex mutex_;
  std::map<std::uint64_t, Capture> captures_;
  std::shared_ptr<Ended> ended_;
};

}  // namespace upsweep::runtime
