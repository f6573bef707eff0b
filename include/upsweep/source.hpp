// A source: generated text for (problem, config), with all that is needed to launch it.
#pragma once

#include <cstdint>
#include <string>

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

// How many blocks a launch has.
enum class GridRule : std::uint8_t {
  one_block,       // n of any size is one block's work
  one_cluster,     // n of any size is the work of cluster_blocks blocks
  block_per_tile,  // ceil(n / items_per_tile)
  persistent       // as many as fit on the device at once, at most one per tile
};

struct LaunchRule {
  GridRule grid = GridRule::block_per_tile;
  int threads_per_block = 0;
  std::uint64_t items_per_tile = 0;
  int blocks_per_multiprocessor = 1;  // for persistent
  int shared_bytes = 0;               // dynamic shared memory, per block
  int cluster_blocks = 1;             // neighbouring blocks that run at the same time (sm_90)
  bool cooperative = false;           // all blocks run at the same time, or the launch fails
  bool dependent = false;             // may be started before the kernel before it has ended (sm_90): the kernel waits

  // Number of blocks for n > 0 items on a device with that many multiprocessors.
  [[nodiscard]] std::uint64_t blocks(std::uint64_t n, int multiprocessors) const;

  bool operator==(const LaunchRule&) const = default;
};

// Device memory that a kernel keeps between launches. It is zero before the first launch and each launch leaves it
// ready for the next. Two kernels may share one workspace, in stream order, only if their layouts have the same name.
struct WorkspaceRule {
  std::string layout;            // empty: the kernel needs none
  std::uint64_t slot_bytes = 0;  // one slot a tile or a block
  bool slot_per_tile = false;    // else one a block
  static constexpr std::uint64_t header_bytes = 128;

  // Bytes for a number of slots (a multiple of 128), 0 if the kernel needs no workspace.
  [[nodiscard]] std::uint64_t bytes(std::uint64_t slots) const;

  bool operator==(const WorkspaceRule&) const = default;
};

struct Source {
  std::string text;   // one translation unit, no includes
  std::string entry;  // extern "C" name of the kernel
  std::string key;    // hash of the text, 32 hexadecimal digits
  LaunchRule launch;
  WorkspaceRule workspace;

  // Bytes of workspace for n items on a device with that many multiprocessors.
  [[nodiscard]] std::uint64_t workspace_bytes(std::uint64_t n, int multiprocessors) const;
};

// What the source is compiled for: the target file it is assembled with.
enum class Target : std::uint8_t { cuda, host };

// Pure and deterministic: the same input gives the same bytes on every machine.
// Throws UsageError where the problem is invalid or the config lies outside the problem's space.
[[nodiscard]] Source generate(const Problem& problem, const Config& config, Target target = Target::cuda);

// Version of what the generator emits; part of what a measurement was made with.
[[nodiscard]] std::string generator_version();

}  // namespace upsweep
