// How blocks that stay divide the items along an axis into tiles: the items are a matrix, whose rows are those of all
// indices of the dimensions before the axis, one after the other. A tile has neighbouring rows of a panel of columns,
// and an axis may begin anywhere in it. The worker threads are groups of `width` threads: the threads of a group have
// neighbouring columns, and the groups have the rows.
#pragma once

#include "block/axis_stage.cuh"
#include "parameters.cuh"
#include "thread/axis_columns.cuh"

constexpr int worker_threads = worker_warps * warp_size;

struct Ring {
  u64 all_rows;
  u64 length;  // of the axis
  u32 along;   // tiles of a panel
  u32 panels;
  int columns;  // of a panel; the last one may have fewer
  int rows;     // of a tile; the last one of a panel may have fewer
  int width;    // threads of a group
  int groups;
  int rows_each;  // of a group; odd, so that the threads of a warp meet in few banks
  bool is_whole;  // tiles are whole rows: contiguous memory
};

// All columns are one panel if they fit. Otherwise panels are about equally wide and begin at whole sectors of 32
// bytes, if rows do.
__device__ __forceinline__ int panel_of(u64 inner) {
  if (inner <= u64(panel_columns)) return int(inner);
  constexpr int sector = sizeof(Input) < 32 ? 32 / int(sizeof(Input)) : 1;
  const u64 panels = (inner + panel_columns - 1) / panel_columns;
  const u64 even = ((inner + panels - 1) / panels + sector - 1) / sector * sector;
  return even < u64(panel_columns) ? int(even) : panel_columns;
}

// More tiles than there are tickets are refused.
template <bool vectors>
__device__ __forceinline__ Ring ring_of(const Arguments& arguments) {
  const u64 inner = arguments.inner;
  Ring ring;
  ring.length = arguments.length;
  ring.all_rows = inner > 0 ? arguments.columns / inner * arguments.length : 0;
  ring.columns = panel_of(inner);
  ring.is_whole = u64(ring.columns) == inner;
  ring.panels = 0;
  ring.along = 0;
  if (ring.all_rows == 0) return ring;
  const u64 panels = (inner + ring.columns - 1) / u64(ring.columns);
  // So that tiles of whole rows all begin as far behind a vector as the array does.
  ring.rows = (stage_items - items_of_vector) / ring.columns / items_of_vector * items_of_vector;
  const u64 along = (ring.all_rows - 1) / u64(ring.rows) + 1;
  if ((panels | along) >> 31 != 0 || panels * along >> 31 != 0) abort_kernel();
  ring.panels = u32(panels);
  ring.along = u32(along);
  ring.width = ring.columns / ColumnItems<Input, vectors>::count;
  ring.groups = worker_threads / ring.width;
  ring.rows_each = ((ring.rows + ring.groups - 1) / ring.groups) | 1;
  return ring;
}

// Whether a block keeps the fold of the spans before its tile.
__device__ __forceinline__ bool carries_spans(const Ring& ring) { return ring.along > u32(tiles_per_span); }
// Whether the fold of each span is published. A span of one tile needs none: its fold is that of the tile.
__device__ __forceinline__ bool has_spans(const Ring& ring) { return tiles_per_span > 1 && carries_spans(ring); }

__device__ __forceinline__ u32 span_of(u32 tile) { return tile / u32(tiles_per_span); }

// Where what is published of a span is: behind that of all tiles.
__device__ __forceinline__ u32 row_of_span(const Ring& ring, u32 span) {
  return tiles_per_span > 1 ? ring.along + span : span;
}

// Rows of what is published of a panel: of its tiles, and of its spans.
__device__ __forceinline__ u64 published_rows(const Ring& ring) {
  return u64(ring.along) + (has_spans(ring) ? span_of(ring.along) : 0);
}

// What the loader tells of the tile in a stage.
struct RingTile {
  u32 number;  // within its panel; the tiles of a panel follow each other
  u32 panel;   // none if it is ring.panels
  u32 begin;   // number of the tile where the axis of the first row begins
  int rows;
  int columns;
  int until_begin;  // rows until an axis begins; tile.rows if none does
  u64 row;          // the first
  u64 position;     // of that row along the axis
};

__device__ __forceinline__ RingTile ring_tile(const Ring& ring, u64 inner, u32 number) {
  RingTile tile;
  tile.panel = number / ring.along;
  tile.number = number % ring.along;
  tile.row = u64(tile.number) * u64(ring.rows);
  const u64 rows = ring.all_rows - tile.row, columns = inner - u64(tile.panel) * u64(ring.columns);
  tile.rows = rows < u64(ring.rows) ? int(rows) : ring.rows;
  tile.columns = columns < u64(ring.columns) ? int(columns) : ring.columns;
  tile.position = tile.row % ring.length;
  tile.begin = u32((tile.row - tile.position) / u64(ring.rows));
  const u64 until_begin = tile.position == 0 ? 0 : ring.length - tile.position;
  tile.until_begin = until_begin < u64(tile.rows) ? int(until_begin) : tile.rows;
  return tile;
}

// From the fold of a column to that of the next one. Odd, so that the threads of a warp meet in few banks.
__device__ __forceinline__ int fold_step(const Ring& ring) { return ring.groups | 1; }

// Groups that have rows: at least one.
__device__ __forceinline__ int active_groups(const Ring& ring, const RingTile& tile) {
  return (tile.rows + ring.rows_each - 1) / ring.rows_each;
}

// Where a worker thread has items, in all tiles.
struct Place {
  int group;
  int column;  // the first, within the panel
  int row;     // the first, within the tile
  int first;   // where the first item is in the stage
};

template <bool vectors>
__device__ __forceinline__ Place place_of(const Arguments& arguments, const Ring& ring, int thread) {
  Place place;
  place.group = thread / ring.width;
  place.column = thread % ring.width * ColumnItems<Input, vectors>::count;
  place.row = place.group < ring.groups ? place.group * ring.rows_each : ring.rows;
  // Tiles of whole rows all begin as far behind a vector as the array does.
  place.first = place.row * ring.columns + place.column + (ring.is_whole ? shift_of(arguments.in) : 0);
  return place;
}

// The rows of a worker thread in a tile.
struct RowShare {
  int rows;   // none, if not positive
  int begin;  // rows until an axis begins; as many as there are, or more, if none does
};

__device__ __forceinline__ RowShare row_share(const Ring& ring, const RingTile& tile, const Place& place) {
  const int left = tile.rows - place.row;
  RowShare share{left < ring.rows_each ? left : ring.rows_each, tile.until_begin - place.row};
  if (place.column >= tile.columns) share.rows = 0;
  if (share.begin >= 0 || share.rows <= 0) return share;
  // An axis has begun before. So short an axis begins again.
  share.begin = tile.rows;
  if (ring.length < u64(tile.rows)) {
    const u32 length = u32(ring.length), since = u32(place.row - tile.until_begin) % length;
    share.begin = since == 0 ? 0 : int(length - since);
  }
  return share;
}
