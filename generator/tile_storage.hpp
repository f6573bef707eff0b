// The shared memory of schedules that work tile by tile, laid out as the templates' structs are.
#pragma once

#include <cstdint>
#include <span>

#include <upsweep/port.hpp>

#include "generator/tile_parameters.hpp"

namespace upsweep::tiles {

struct Layout {
  std::int64_t size = 1;  // an empty struct has 1 byte
  std::int64_t alignment = 1;
};

[[nodiscard]] Layout array_of(Layout item, std::int64_t items);
[[nodiscard]] Layout array_of(Type type, std::int64_t items);
[[nodiscard]] Layout array_of_words(std::int64_t word_bytes, std::int64_t words);
[[nodiscard]] Layout struct_of(std::span<const Layout> members);
[[nodiscard]] Layout struct_of(std::initializer_list<Layout> members);
[[nodiscard]] Layout union_of(std::initializer_list<Layout> members);
[[nodiscard]] std::int64_t padded(std::int64_t items);  // as templates/block/padding.cuh

// What the items of a tile combine to, and what is made of it for all tiles: Local and Accumulator of the templates.
[[nodiscard]] Layout local_layout(const Problem& problem);
[[nodiscard]] Layout accumulator_layout(const Problem& problem);

// Bytes of the widest of what there is of each item: of inputs and outputs, and of what items combine to.
[[nodiscard]] std::size_t widest_size(const Problem& problem);

// Bytes of an item of all inputs together.
[[nodiscard]] std::size_t bytes_read_per_item(const Problem& problem);

// Storage of load_tile or store_tile.
[[nodiscard]] Layout exchange_storage(Access access, Type type, const TileValues& values);
// InputsStorage of templates/tile/inputs.*.cuh.
[[nodiscard]] Layout inputs_storage(const Problem& problem, const TileValues& values);
// What loads and stores of a tile share.
[[nodiscard]] Layout tile_exchange_storage(const Problem& problem, const StoredTileValues& values);
// BlockScanStorage of templates/block/scan.*.cuh.
[[nodiscard]] Layout block_scan_storage(const Problem& problem, const ScanValues& values);
// TileStorage of templates/tile/scan.cuh.
[[nodiscard]] Layout scan_storage(const Problem& problem, const ScanValues& values);

}  // namespace upsweep::tiles
