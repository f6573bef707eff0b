#include "generator/stage_ports.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/arguments.hpp"
#include "generator/port_text.hpp"
#include "generator/segment_stages.hpp"
#include "generator/tile_access.hpp"
#include "generator/value_type.hpp"

namespace upsweep::stage_ports {
namespace {

using port_text::each;
using port_text::list;
using port_text::previous_items;

constexpr std::int64_t part_grid = 32;  // as in templates/pipeline/parts.cuh
constexpr std::int64_t stage_alignment = 128;

// Bytes of a part for the items before a tile's first: two of 16 bytes at most.
std::int64_t bytes_ahead(const Port& port) {
  return port.previous_items > 0 ? part_grid : 0;
}

// The array whose vectors a thread's items fill: the first one of the type Input.
const Port* grid_port(const Problem& problem, const std::vector<Port>& ports) {
  for (const Port& port : ports) {
    if (port.type == problem.input) return &port;
  }
  return nullptr;
}

// The array that is read in whose part of a stage each array's results are gathered, by the number of the output:
// one of as wide items that no other output takes. Null: the results have memory of their own.
// The results of a warp that fill its part leave only the last item, which the next warp reads as the one before its
// first (templates/pipeline/spill.cuh). Results that are two items apart fill half of it.
std::vector<const Port*> parts_of_results(const Problem& problem, const std::vector<Port>& inputs,
                                          const std::vector<Port>& outputs) {
  std::vector<const Port*> parts;
  for (const Port& output : outputs) {
    const auto fits = [&](const Port& input) {
      return size_of(input.type) == size_of(output.type) &&
             (input.previous_items < 2 || entry_of(problem).result_distance >= 2) &&
             std::find(parts.begin(), parts.end(), &input) == parts.end();
    };
    const auto found = std::find_if(inputs.begin(), inputs.end(), fits);
    parts.push_back(found == inputs.end() ? nullptr : &*found);
  }
  return parts;
}

std::string arrays_template(const Problem& problem) {
  const std::vector<Port> inputs = tile_inputs(problem), outputs = tile_outputs(problem);
  const std::string& grid = grid_port(problem, inputs)->name;
  std::string text =
      "// Made from the arrays of the problem.\n#pragma once\n\n#include \"algorithm/limits.none.cuh\"\n";
  text += has_row_begins(problem) ? "#include \"thread/row_begins.cuh\"\n" : "";
  text +=
      "#include \"parameters.cuh\"\n#include \"pipeline/geometry.cuh\"\n#include \"tile/outputs.ports.cuh\"\n#include "
      "\"tile/prefetch.none.cuh\"\n";
  text += has_segment_begins(problem) ? "#include \"thread/offset_range.cuh\"\n" : "";
  text +=
      "\n// Asks for tile `tile` ahead of time, by one thread.\n"
      "__device__ __forceinline__ void prefetch_arrays(const Arguments& arguments, u64 tile) {\n";
  text += each(problem, inputs, "  prefetch_tile<tile_places>(arguments.{name}, arguments.n, tile);\n");
  text += "}\n\nstruct Span {\n  // Of each array that is read: where place 0 would be.\n";
  text += each(problem, inputs, "  const {type}* {name};\n");
  text += "  // Where results go, from the first one on.\n";
  text += each(problem, outputs, "  {type}* {name};\n");
  text += is_fold_of_segments(problem) ? "  Output* out;\n" : "";
  text +=
      "  u64 begin;      // first place that holds an item\n  u64 end;        // behind the last one\n  u32 tiles;\n"
      "  bool in_place;  // whether results take the place of items that other tiles read\n"
      "  u64 capacity;   // results that there is room for\n";
  text += has_row_begins(problem) ? "  RowLength row;\n" : "";
  if (has_segment_begins(problem)) return text + segment_stages::span(problem);
  text +=
      "};\n\n"
      "__device__ __forceinline__ Span span_of_arrays(const Arguments& arguments) {\n";
  text += fmt::format(
      "  const u32 offset = u32(reinterpret_cast<u64>(arguments.{}) % grid_bytes / sizeof(Input));\n"
      "  const u64 n = items_of(arguments);\n  return {{",
      grid);
  text += list(inputs, "arguments.{name} - offset") + ", " + list(outputs, "arguments.{name}") +
          ", offset, offset + n,\n          u32((offset + n + tile_places - 1) / tile_places), "
          "replaces_items(arguments), capacity_of(arguments)" +
          (has_row_begins(problem) ? ", row_length_of(arguments.row_length)" : "") +
          "};\n}\n\n"
          "__device__ __forceinline__ bool replaces_items(const Span& span) {\n  return span.in_place;\n}\n";
  return text;
}

std::string stage_structures(const Problem& problem, const std::vector<Port>& inputs) {
  const bool leaves_totals = is_fold_of_segments(problem);
  std::string text = "struct Parts;\n\n// From one of a stage's places on.\nstruct Places {\n" +
                     std::string(leaves_totals ? "  " : "  const ") +
                     "Parts* parts;\n  int first;\n};\n\nstruct Parts {\n";
  for (const Port& port : inputs) {
    text += fmt::format("  unsigned char {}[part_bytes<{}>({})];\n", port.name, spelled_type(problem, port),
                        bytes_ahead(port));
  }
  const bool has_totals = leaves_totals && !segment_stages::totals_in_place(problem);
  text += has_totals ? "  Value totals[tile_places + 1];\n" : "";
  text += has_segment_begins(problem) ? "  SegmentMarks marks;\n" : "";
  text += leaves_totals ? "  ShareOfTile share;\n" : "";
  text += std::string("\n  __device__ __forceinline__ Places operator+(int first) ") + (leaves_totals ? "" : "const ") +
          "{ return {this, first}; }\n"
          "};\n\nstruct alignas(128) Stage {\n  Parts item;\n};\n\nusing StageItems = Parts&;\n\n"
          "// Begins to load a tile into a stage, by one warp. The phase of `full` ends when the tile is loaded.\n"
          "__device__ __forceinline__ void fill_stage(Parts& to, const Span& span, u32 tile, PhaseBarrier* full) {\n";
  text += "  const Piece pieces[] = {";
  for (const Port& port : inputs) {
    text += fmt::format("{}begin_part(to.{}, span.{}, {}, {}, span, tile)",
                        &port == &inputs.front() ? "" : ",\n                          ", port.name, port.name,
                        bytes_ahead(port), port.previous_items);
  }
  text += "};\n  fill_parts(pieces, full);\n}\n\n";
  text += has_segment_begins(problem) ? segment_stages::mark_in_turn(problem) : "";
  text += leaves_totals ? segment_stages::totals(problem) : "";
  text += "// A thread's items.\nstruct PlacedItems {\n";
  text += each(problem, inputs, "  ThreadItems<{type}> {name};\n", "  {type} {name}_before;\n",
               "  {type} {name}_before2;\n");
  text += previous_items(inputs) > 0 ? "  bool has_before;\n" : "";
  text += previous_items(inputs) > 1 ? "  bool has_before2;\n" : "";
  text += entry_of(problem).with_index ? "  u64 index;  // of place 0\n" : "";
  text += has_row_begins(problem) || has_segment_begins(problem) ? "  RowBegins<thread_items> begins;\n" : "";
  return text + "};\n\n";
}

std::string item_of_place(const Problem& problem, const std::vector<Port>& inputs) {
  const bool previous = previous_items(inputs) > 0, index = entry_of(problem).with_index;
  const bool rows = has_row_begins(problem);
  std::string text =
      "\n// The item at a place that holds one. For the first item, the items before are not initialised.\n"
      "__device__ __forceinline__ Item item_in(const Span& span, ";
  text += previous || index || rows ? "u32 tile" : "u32";
  text += ", const Parts& parts, int place) {\n  Item item;\n";
  for (const Port& port : inputs) {
    text += fmt::format("  const {1}* const {0} = places_in(parts.{0}, span.{0}, {2}) + place;\n", port.name,
                        spelled_type(problem, port), bytes_ahead(port));
  }
  text += each(problem, inputs, "  item.{name} = {name}[0];\n", "  item.{name}_before = {name}[-1];\n",
               "  item.{name}_before2 = {name}[-2];\n");
  text += previous ? "  item.has_before = tile > 0 || place > int(span.begin);\n" : "";
  text += previous_items(inputs) > 1 ? "  item.has_before2 = tile > 0 || place > int(span.begin) + 1;\n" : "";
  text += index ? "  item.index = u64(tile) * tile_places + u64(place) - span.begin;\n" : "";
  text += rows ? "  const u64 index = u64(tile) * tile_places + u64(place) - span.begin;\n"
                 "  item.begins_row = items_to_row(index, span.row) == 0;\n"
               : "";
  return text + "  return item;\n}\n";
}

std::string stage_template(const Problem& problem) {
  const std::vector<Port> inputs = tile_inputs(problem);
  const bool previous = previous_items(inputs) > 0, second = previous_items(inputs) > 1;
  const bool index = entry_of(problem).with_index, rows = has_row_begins(problem);
  std::string text = "// Made from the arrays that the problem reads.\n#pragma once\n\n#include \"parameters.cuh\"\n";
  text += rows ? "#include \"thread/row_begins.cuh\"\n" : "";
  text += has_segment_begins(problem) ? "#include \"pipeline/segment_marks.cuh\"\n" : "";
  text +=
      "#include \"thread/load_places.cuh\"\n#include \"pipeline/fill.bulk.cuh\"\n#include \"pipeline/parts.cuh\"\n"
      "#include \"pipeline/span.cuh\"\n\n";
  text += stage_structures(problem, inputs);
  text += "// Loads a thread's items.\n__device__ __forceinline__ void load_items(const Span& span, ";
  text += previous || index || rows ? "u32 tile" : "u32";
  text += ", const Places& places, PlacedItems& items) {\n";
  text += previous ? "  items.has_before = tile > 0 || places.first > 0;\n" : "";
  text += second ? "  items.has_before2 = tile > 0 || places.first > int(span.begin) + 1;\n" : "";
  text += index ? "  items.index = u64(tile) * tile_places + u64(places.first) - span.begin;\n" : "";
  text += rows ? "  items.begins = row_begins<thread_items>(u64(tile) * tile_places + u64(places.first) - span.begin, "
                 "span.row);\n"
               : "";
  text += has_segment_begins(problem)
              ? "  items.begins = marked_places<thread_items>(places.parts->marks, places.first);\n"
              : "";
  for (const Port& port : inputs) {
    text += fmt::format(
        "  const {1}* const {0} = places_in(places.parts->{0}, span.{0}, {2}) + places.first;\n  load_places({0}, "
        "items.{0});\n",
        port.name, spelled_type(problem, port), bytes_ahead(port));
    text += each(problem, {port}, "", "  if (items.has_before) items.{name}_before = {name}[-1];\n",
                 "  if (items.has_before2) items.{name}_before2 = {name}[-2];\n");
  }
  text +=
      "}\n\n// Item i of a thread. Places before `begin` hold no item.\n"
      "__device__ __forceinline__ Item item_at(const PlacedItems& items, int i, int begin) {\n  Item item;\n";
  text += each(problem, inputs, "  item.{name} = items.{name}[i];\n",
               "  item.{name}_before = i > 0 ? items.{name}[i - 1] : items.{name}_before;\n",
               "  item.{name}_before2 = i > 1 ? items.{name}[i - 2] : i > 0 ? items.{name}_before : "
               "items.{name}_before2;\n");
  text += previous ? "  item.has_before = i > begin || items.has_before;\n" : "";
  text += second ? "  item.has_before2 = i > begin + 1 || (i > begin ? items.has_before : items.has_before2);\n" : "";
  text += index ? "  item.index = items.index + u64(i);\n" : "";
  text += rows ? "  item.begins_row = begins_row(items.begins, i);\n" : "";
  if (has_segment_begins(problem)) {  // one instruction; no result is looked for by its place
    text += "  item.begins_row = (items.begins.words[i / 32] & (1u << (i % 32))) != 0;\n";
    return text + "  return item;\n}\n";
  }
  return text + "  return item;\n}\n" + item_of_place(problem, inputs);
}

std::string results_template(const Problem& problem) {
  if (is_fold_of_segments(problem)) return segment_stages::results();
  const std::vector<Port> inputs = tile_inputs(problem), outputs = tile_outputs(problem);
  const std::vector<const Port*> parts = parts_of_results(problem, inputs, outputs);
  std::string text =
      "// Made from the arrays of the problem.\n#pragma once\n\n#include \"parameters.cuh\"\n"
      "#include \"pipeline/spill.cuh\"\n#include \"pipeline/stage.ports.cuh\"\n\nstruct alignas(128) ResultStorage {\n";
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (parts[i] != nullptr) continue;
    text += fmt::format("  unsigned char {}[part_bytes<{}>(0)];\n", outputs[i].name, spelled_type(problem, outputs[i]));
  }
  text += each(problem, outputs, "  Spill<{type}> {name}_spill[worker_warps];\n");
  return text +
         "};\n\n// What results need besides the memory of a stage's items.\n"
         "__device__ __forceinline__ ResultStorage& results_of(const Parts&, ResultStorage& storage) {\n"
         "  return storage;\n}\n";
}

std::string gather_all_text(const Problem& problem, const std::vector<Port>& outputs) {
  std::string text =
      "// Takes the results of all of a thread's items, result_of(i) of item i, in the warp's slots from `slot` on. "
      "Asks "
      "for\n// each result once, in the order of the items.\ntemplate <typename ResultOf>\n"
      "__device__ __forceinline__ void gather_all(const Gatherings& gatherings, u32 slot, const ResultOf& result_of) "
      "{\n";
  if (outputs.size() == 1) {
    return text + each(problem, outputs,
                       "  gather_run(gatherings.{name}, slot, [&](int i) {{ return result_of(i).{name}; }});\n}}\n");
  }
  text +=
      "  Result results[thread_items];\n#pragma unroll\n  for (int i = 0; i < thread_items; ++i) results[i] = "
      "result_of(i);\n";
  return text +
         each(problem, outputs,
              "  gather_run(gatherings.{name}, slot, [&](int i) {{ return results[i].{name}; }});\n") +
         "}\n";
}

std::string gatherings_template(const Problem& problem) {
  const std::vector<Port> inputs = tile_inputs(problem), outputs = tile_outputs(problem);
  const std::vector<const Port*> parts = parts_of_results(problem, inputs, outputs);
  std::string text =
      "// Made from the arrays that the problem writes.\n#pragma once\n\n#include \"parameters.cuh\"\n"
      "#include \"pipeline/gather.cuh\"\n#include \"pipeline/results.ports.cuh\"\n#include \"pipeline/span.cuh\"\n"
      "#include \"pipeline/stage.ports.cuh\"\n\n// Where a warp's results wait to be written to each array.\n"
      "struct Gatherings {\n";
  text += each(problem, outputs, "  Gathering<{type}> {name};\n");
  text +=
      "};\n\n// Of a warp before whose results there are `slots` others.\n"
      "__device__ __forceinline__ Gatherings gatherings_at(const Span& span, u64 slots, Parts& parts, ResultStorage& "
      "storage) {\n  return {";
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = outputs[i].name;
    const Port* const part = parts[i];
    const std::string where =
        part == nullptr ? fmt::format("storage.{}, 0", name)
                        : fmt::format("parts.{0}, bytes_before(span.{0}, {1})", part->name, bytes_ahead(*part));
    text += fmt::format("{}gathering_at(span.{} + slots, {}, storage.{}_spill)", i == 0 ? "" : ",\n          ", name,
                        where, name);
  }
  text +=
      "};\n}\n\n// Takes the warp's result `slot`, if there is one.\n"
      "__device__ __forceinline__ void gather_result(const Gatherings& gatherings, bool has_result, u32 slot, const "
      "Result& result) {\n";
  text += each(problem, outputs, "  gather(gatherings.{name}, has_result, slot, result.{name});\n");
  text += "}\n\n" + gather_all_text(problem, outputs) + "\n";
  text +=
      "// Writes the warp's results, of which there are `count`, by all its lanes.\n"
      "__device__ __forceinline__ void write_all_gathered(const Gatherings& gatherings, u32 count) {\n";
  text += each(problem, outputs, "  write_gathered(gatherings.{name}, count);\n");
  return text + "}\n";
}

std::string store_result_template(const Problem& problem) {
  return "// Made from the arrays that the problem writes.\n#pragma once\n\n#include \"parameters.cuh\"\n"
         "#include \"pipeline/span.cuh\"\n\n// Stores a result to each array.\n"
         "__device__ __forceinline__ void store_result(const Span& span, u64 slot, const Result& result) {\n" +
         each(problem, tile_outputs(problem), "  span.{name}[slot] = result.{name};\n") + "}\n";
}

std::int64_t part_bytes(Type type, std::int64_t ahead, std::int64_t tile_items) {
  return ahead + part_grid + tile_items * static_cast<std::int64_t>(size_of(type));
}

}  // namespace

bool are_supported(const Problem& problem) {
  const std::vector<Port> inputs = tile_inputs(problem), outputs = tile_outputs(problem);
  const auto fills = [](const Port& port) { return tiles::fills_vectors(port.type); };
  return grid_port(problem, inputs) != nullptr && std::all_of(inputs.begin(), inputs.end(), fills) &&
         std::all_of(outputs.begin(), outputs.end(), fills);
}

std::map<std::string, std::string> templates(const Problem& problem) {
  return {{"pipeline/arrays.ports.cuh", arrays_template(problem)},
          {"pipeline/stage.ports.cuh", stage_template(problem)},
          {"pipeline/results.ports.cuh", results_template(problem)},
          {"pipeline/gatherings.ports.cuh", gatherings_template(problem)},
          {"pipeline/store_result.ports.cuh", store_result_template(problem)}};
}

bool results_in_stage(const Problem& problem) {
  const std::vector<Port> inputs = tile_inputs(problem);
  const std::vector<const Port*> parts = parts_of_results(problem, inputs, tile_outputs(problem));
  return std::any_of(parts.begin(), parts.end(), [](const Port* part) { return part != nullptr; });
}

tiles::Layout stage_layout(const Problem& problem, std::int64_t tile_items, std::int64_t worker_warps) {
  std::int64_t bytes = 0;
  for (const Port& port : tile_inputs(problem)) bytes += part_bytes(port.type, bytes_ahead(port), tile_items);
  if (!has_segment_begins(problem)) return tiles::struct_of({tiles::Layout{bytes, stage_alignment}});
  const bool has_totals = is_fold_of_segments(problem) && !segment_stages::totals_in_place(problem);
  // SegmentMarks and ShareOfTile of templates/pipeline/segment_marks.cuh.
  const tiles::Layout marks = tiles::struct_of(
      {tiles::array_of_words(8, worker_warps + 1), tiles::Layout{1, 1}, tiles::array_of_words(4, tile_items / 32 + 1)});
  return tiles::struct_of({tiles::Layout{bytes, stage_alignment},
                           has_totals ? tiles::array_of(problem.accumulator, tile_items + 1) : tiles::Layout{0, 1},
                           marks, is_fold_of_segments(problem) ? tiles::array_of_words(8, 2) : tiles::Layout{0, 1}});
}

tiles::Layout results_layout(const Problem& problem, std::int64_t tile_items, std::int64_t worker_warps) {
  const std::vector<Port> inputs = tile_inputs(problem), outputs = tile_outputs(problem);
  const std::vector<const Port*> parts = parts_of_results(problem, inputs, outputs);
  if (is_fold_of_segments(problem)) {
    return tiles::Layout{};
  }
  std::int64_t bytes = static_cast<std::int64_t>(outputs.size()) * worker_warps * part_grid;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (parts[i] == nullptr) bytes += part_bytes(outputs[i].type, 0, tile_items);
  }
  return tiles::struct_of({tiles::Layout{bytes, stage_alignment}});
}

}  // namespace upsweep::stage_ports
