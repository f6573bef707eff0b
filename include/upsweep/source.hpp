/// @file
/// Source: generated CUDA text for a problem and a config, with everything that is needed to launch it. A config has
/// one source for each step: each kernel that a call launches.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

namespace UPSWEEP_API upsweep {

/// How the number of blocks of a launch depends on n.
enum class GridRule : std::uint8_t {
  one_block,       ///< One block computes all n items.
  one_cluster,     ///< One cluster of `cluster_blocks` blocks computes all n items.
  block_per_tile,  ///< ceil(n / items_per_tile) blocks.
  persistent       ///< `blocks_per_multiprocessor` blocks for each multiprocessor, at most one per tile.
};

/// How a kernel is launched.
struct LaunchRule {
  GridRule grid = GridRule::block_per_tile;  ///< How many blocks are launched.
  int threads_per_block = 0;                 ///< Threads per block.
  std::uint64_t items_per_tile = 0;          ///< Items per tile.
  /// Along an axis, where a tile has all rows of its columns: columns per tile, if the rows of the array fill vectors
  /// of `columns_per_vector` items; otherwise a tile has so many times fewer. 0: tiles are counted by items.
  std::uint64_t columns_per_tile = 0;
  int columns_per_vector = 1;  ///< Columns whose items of a row are loaded as one vector.
  /// Along an axis: how many columns a call must have, all of one array; 0: any number, of any number of arrays. A plan
  /// runs other calls with a kernel of another schedule.
  int row_columns = 0;
  int blocks_per_multiprocessor = 1;  ///< For GridRule::persistent: blocks per multiprocessor.
  int shared_bytes = 0;               ///< Dynamic shared memory per block, in bytes.
  int cluster_blocks = 1;             ///< Blocks per thread block cluster; more than 1 needs sm_90.
  bool cooperative = false;           ///< Cooperative launch: all blocks run at the same time, or the launch fails.

  /// Programmatic dependent launch (sm_90): the kernel may start before the previous one has ended, and waits for it.
  bool dependent = false;

  /// Number of blocks for n > 0 items on a device with that many multiprocessors.
  [[nodiscard]] std::uint64_t blocks(std::uint64_t n, int multiprocessors) const;

  /// The same for n > 0 items of columns along an axis, of which `inner` have their items of a row next to each other.
  /// With columns_per_tile, there are at most as many as columns_per_tile gives tiles, or if items_per_tile gives more
  /// tiles, as many as these, up to one per multiprocessor: blocks without columns prefetch items for others.
  [[nodiscard]] std::uint64_t blocks_along_axis(std::uint64_t n, std::uint64_t columns, std::uint64_t inner,
                                                int multiprocessors) const;

  /// Rules are equal if all members are equal.
  bool operator==(const LaunchRule&) const = default;
};

/// The state of a kernel: the part of the workspace that it keeps between launches. The memory must be zero before the
/// first launch, and each launch leaves it ready for the next one. Two kernels may share one state, in stream order,
/// only if their layouts have the same name.
struct WorkspaceRule {
  std::string layout{};              ///< Name of the layout; empty if the kernel needs no state.
  std::uint64_t slot_bytes = 0;      ///< Bytes per slot.
  bool slot_per_tile = false;        ///< true: one slot per tile; false: one slot per block.
  bool slots_of_whole_grid = false;  ///< Whether a call of any size has as many slots as the largest has blocks.
  bool one_slot = false;             ///< Whether a call of any size has one slot.
  static constexpr std::uint64_t header_bytes = 128;  ///< Bytes before the first slot; also the alignment.

  /// Size for a number of slots, in bytes: a multiple of 128, or 0 if the kernel needs no state.
  [[nodiscard]] std::uint64_t bytes(std::uint64_t slots) const;

  /// Rules are equal if all members are equal.
  bool operator==(const WorkspaceRule&) const = default;
};

/// An array of scratch: the part of the workspace through which the steps of one call pass values on. Its content is
/// undefined when a call begins. Steps that name the same array share it.
struct ScratchRule {
  std::string name{};            ///< Name of the array, and of the member of the arguments that holds its address.
  std::string type{};            ///< Type of its items, as the source writes it.
  std::uint64_t item_bytes = 0;  ///< Size of an item in bytes.
  std::uint64_t items = 0;       ///< Number of items that do not depend on the call.
  std::uint64_t items_per_multiprocessor = 0;  ///< Items for each multiprocessor of the device.
  std::uint64_t call_items_per_item = 0;       ///< One more item for each started group of so many items; 0: none.

  /// Size for a call of n items on a device with that many multiprocessors, in bytes: a multiple of 128.
  [[nodiscard]] std::uint64_t bytes(std::uint64_t n, int multiprocessors) const;

  /// Rules are equal if all members are equal.
  bool operator==(const ScratchRule&) const = default;
};

/// A member of the struct that a kernel takes.
struct ArgumentMember {
  std::string name{};        ///< Name of the member.
  std::uint64_t offset = 0;  ///< Bytes from the start of the struct.
  std::uint64_t bytes = 0;   ///< Size in bytes.

  /// Equal if name, offset and size are equal.
  bool operator==(const ArgumentMember&) const = default;
};

/// The only parameter of a kernel: a struct, passed by value. Its members are, in this order: the addresses of the
/// arrays that ports() lists (`in`, `out`), the number of items (`n`), with the shape `rows` the number of rows
/// (`rows`) and of items per row (`row_length`), where these have a pitch how far their begins are apart (`in_pitch`,
/// and in scans `out_pitch`), with the shape `axis` the number of columns (`columns`), of items along the axis
/// (`length`) and of items between neighbours (`inner`), with the shape `segments` the number of segments
/// (`segments`), the scalars that scalars() lists, as values or as addresses of values (`initial`), the address of the
/// state (`workspace`; null if the kernel needs none), and the addresses of the arrays of scratch. With
/// SourceOptions::limits, there follow the address of the number of items (`items`), the size of that number
/// (`items_bytes`: 4 or 8, or 0 if `n` is the number), and the number of results that there is room for (`capacity`).
/// With SourceOptions::segment_ends, `offsets` is where segments begin, and there follows the address of where they end
/// (`segment_ends`).
/// The generated source asserts the size of each member.
struct ArgumentsRule {
  std::vector<ArgumentMember> members{};  ///< In the order of their offsets.
  std::uint64_t bytes = 0;                ///< Size of the struct.
  std::uint32_t arrays = 0;               ///< Number of members that are addresses of arrays that ports() lists.
  std::uint32_t scratch = 0;              ///< Number of members that are addresses of arrays of scratch.
  std::uint32_t shape = 0;                ///< Number of members that say how the items are divided.
  std::uint32_t limits = 0;               ///< Number of members behind them, which say how many items and results.
  std::uint32_t segment_ends = 0;         ///< Number of members behind them that say where segments end: 0 or 1.

  /// Rules are equal if all members are equal.
  bool operator==(const ArgumentsRule&) const = default;
};

/// A generated kernel: one step of a plan.
struct Source {
  std::string text{};                  ///< One translation unit without includes.
  std::string entry{};                 ///< Name of the kernel, which is extern "C".
  std::string key{};                   ///< Hash of the text: 32 hexadecimal digits.
  LaunchRule launch{};                 ///< How the kernel is launched.
  WorkspaceRule workspace{};           ///< The state that the kernel needs.
  std::vector<ScratchRule> scratch{};  ///< The arrays of scratch that the kernel uses, in the order of its arguments.
  ArgumentsRule arguments{};           ///< What the kernel takes.

  /// Size of the kernel's state for n items on a device with that many multiprocessors, in bytes.
  [[nodiscard]] std::uint64_t workspace_bytes(std::uint64_t n, int multiprocessors) const;
};

/// Size of the workspace of all steps together, state and scratch, for n items on a device with that many
/// multiprocessors, in bytes; 0 if they need none.
[[nodiscard]] std::uint64_t workspace_bytes(std::span<const Source> steps, std::uint64_t n, int multiprocessors);

/// What a source is compiled for.
enum class Target : std::uint8_t {
  cuda,  ///< A GPU, compiled with NVRTC.
  host   ///< The host device, compiled with the C++ compiler of the system.
};

/// Options of a generated kernel. Results do not depend on them.
struct SourceOptions {
  /// Whether the kernel reads its scalars, such as the initial value, from device memory: its arguments are the
  /// addresses, not the values.
  bool scalars_in_memory = false;

  /// Whether the kernel takes limits: its number of items may be in device memory, and there may be room for fewer
  /// results than items.
  bool limits = false;

  /// Whether the kernel takes an array of where segments begin and one of where they end, in the place of offsets. Only
  /// of the shape `segments`.
  bool segment_ends = false;

  /// Options are equal if all members are equal.
  bool operator==(const SourceOptions&) const = default;
};

/// Generates the sources of all steps of a config, in the order in which a call launches them; at least one. The
/// function is deterministic: the same arguments give the same bytes on every machine. It needs neither a GPU nor a
/// compiler.
/// @throws UsageError if the problem is invalid, if the config is not valid for the problem, or if
/// scalars_in_memory is set and the algorithm has no scalars.
[[nodiscard]] std::vector<Source> generate_steps(const Problem& problem, const Config& config,
                                                 Target target = Target::cuda, const SourceOptions& options = {});

/// The same for a config of one step, as those of most schedules are.
/// @throws UsageError if the config has several steps; otherwise as above.
[[nodiscard]] Source generate(const Problem& problem, const Config& config, Target target = Target::cuda,
                              const SourceOptions& options = {});

/// Version of the generator. It changes when generated sources change, and is part of the Environment of a measurement.
[[nodiscard]] std::string generator_version();

}  // namespace upsweep
