#include "generator/tile_storage.hpp"

#include <algorithm>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/value_type.hpp"

namespace upsweep::tiles {
namespace {

constexpr std::int64_t warp_size = 32;

Layout layout_of(Type type) {
  return {static_cast<std::int64_t>(size_of(type)), static_cast<std::int64_t>(alignment_of(type))};
}

// What the operator combines: Value of the templates, or another of templates/value/{compensated,binned}.cuh.
Layout value_layout(const Problem& problem) {
  return {static_cast<std::int64_t>(value_size(problem)), static_cast<std::int64_t>(value_alignment(problem))};
}

// Counted of templates/value/counted.cuh.
Layout counted_layout(Type count, const Problem& problem) {
  return struct_of({layout_of(count), layout_of(problem.accumulator)});
}

// PartCounts of templates/value/part_counts.cuh.
Layout part_counts_layout(Type count) {
  return array_of(count, 2);
}

// LoadStorage of each array that is read tile by tile, or what holds the results of those that are written so.
Layout storage_of_each(Access access, const std::vector<Port>& ports, const TileValues& values) {
  std::vector<Layout> members;
  for (const Port& port : ports) members.push_back(exchange_storage(access, port.type, values));
  return struct_of(members);
}

// SegmentStorage of templates/tile/segment_marks.cuh.
Layout segment_storage(const TileValues& values) {
  return struct_of({array_of(Type::u64, 2), array_of(Type::u8, values.tile_items())});
}

// StoreStorage of templates/tile/gather.*.cuh: the items of all parts wait in the same memory.
Layout parts_storage(const Problem& problem, const StoredTileValues& values) {
  constexpr std::int64_t slack_bytes = 32, vector_bytes = 16;
  if (values.store != Access::two_phase) return {};
  const std::int64_t bytes = values.tile_items() * static_cast<std::int64_t>(size_of(problem.output));
  return struct_of({Layout{bytes + parts_of(problem) * slack_bytes, vector_bytes}});
}

}  // namespace

Layout array_of(Layout item, std::int64_t items) {
  return {item.size * items, item.alignment};
}

Layout array_of(Type type, std::int64_t items) {
  return array_of(layout_of(type), items);
}

Layout array_of_words(std::int64_t word_bytes, std::int64_t words) {
  return {word_bytes * words, word_bytes};
}

Layout struct_of(std::initializer_list<Layout> members) {
  return struct_of(std::span(members.begin(), members.size()));
}

Layout struct_of(std::span<const Layout> members) {
  Layout whole{0, 1};
  for (const Layout& member : members) {
    whole.size = (whole.size + member.alignment - 1) / member.alignment * member.alignment + member.size;
    whole.alignment = std::max(whole.alignment, member.alignment);
  }
  whole.size = (whole.size + whole.alignment - 1) / whole.alignment * whole.alignment;
  return whole;
}

Layout union_of(std::initializer_list<Layout> members) {
  Layout whole{0, 1};
  for (const Layout& member : members) {
    whole.size = std::max(whole.size, member.size);
    whole.alignment = std::max(whole.alignment, member.alignment);
  }
  return struct_of({whole});
}

std::int64_t padded(std::int64_t items) {
  return items + items / warp_size;
}

Layout exchange_storage(Access access, Type type, const TileValues& values) {
  switch (access) {
    case Access::two_phase:
      return array_of(type, values.tile_items());
    case Access::block_transpose:
      return array_of(type, padded(values.tile_items()));
    case Access::warp_transpose:
      return array_of(type, values.threads_per_block / warp_size * padded(warp_size * values.items_per_thread));
    case Access::direct:
    case Access::vectorized:
      break;
  }
  return {};
}

Layout local_layout(const Problem& problem) {
  switch (entry_of(problem).fold) {
    case Fold::counts:
      return layout_of(Type::u32);
    case Fold::counted_values:
      return counted_layout(Type::u32, problem);
    case Fold::flagged_values:
      return struct_of({layout_of(problem.accumulator), layout_of(Type::u32)});
    case Fold::part_counts:
      return part_counts_layout(Type::u32);
    case Fold::values:
    case Fold::none:
      break;
  }
  return value_layout(problem);
}

Layout accumulator_layout(const Problem& problem) {
  const Fold fold = entry_of(problem).fold;
  return fold == Fold::counted_values   ? counted_layout(Type::u64, problem)
         : fold == Fold::flagged_values ? local_layout(problem)
         : fold == Fold::part_counts    ? part_counts_layout(problem.accumulator)
                                        : value_layout(problem);
}

std::size_t widest_size(const Problem& problem) {
  auto widest = static_cast<std::size_t>(local_layout(problem).size);
  for (const Port& port : ports(problem)) {
    if (port.extent != Extent::one && port.extent != Extent::offsets) widest = std::max(widest, size_of(port.type));
  }
  return widest;
}

std::size_t bytes_read_per_item(const Problem& problem) {
  std::size_t bytes = 0;
  for (const Port& port : tile_inputs(problem)) bytes += size_of(port.type);
  return bytes;
}

Layout inputs_storage(const Problem& problem, const TileValues& values) {
  const Layout items = storage_of_each(values.load, tile_inputs(problem), values);
  return has_segment_begins(problem) ? struct_of({segment_storage(values), items}) : items;
}

Layout tile_exchange_storage(const Problem& problem, const StoredTileValues& values) {
  return union_of(
      {inputs_storage(problem, values), entry_of(problem).emission == Emission::parts
                                            ? parts_storage(problem, values)
                                            : storage_of_each(values.store, tile_outputs(problem), values)});
}

Layout block_scan_storage(const Problem& problem, const ScanValues& values) {
  const Layout local = local_layout(problem);
  const std::int64_t threads = values.threads_per_block;
  switch (values.block_scan) {
    case BlockScan::raking:
    case BlockScan::raking_16:
    case BlockScan::blelloch_padded:
      return struct_of({array_of(local, padded(threads)), array_of(local, 1)});
    case BlockScan::blelloch:
      return struct_of({array_of(local, threads), array_of(local, 1)});
    case BlockScan::hillis_steele:
      return array_of(local, 2 * threads);
    case BlockScan::kogge_stone:
    case BlockScan::sklansky:
    case BlockScan::brent_kung:
      return array_of(local, threads);
    case BlockScan::warp_scans:
      break;
  }
  return array_of(local, threads / warp_size);
}

Layout scan_storage(const Problem& problem, const ScanValues& values) {
  return struct_of({tile_exchange_storage(problem, values), block_scan_storage(problem, values)});
}

}  // namespace upsweep::tiles
