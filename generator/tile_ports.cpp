#include "generator/tile_ports.hpp"

#include <vector>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/port_text.hpp"
#include "generator/shape.hpp"

namespace upsweep {
namespace {

using port_text::each;
using port_text::list;
using port_text::previous_items;

// Of rows with a pitch, an array is one of PitchedItems instead of an address: members of structures, and their values
// in all_inputs() and all_results().
const char* input_member(const Problem& problem) {
  return has_pitch(problem) ? "  PitchedItems<const {type}> {name};\n" : "  const {type}* {name};\n";
}
const char* output_member(const Problem& problem) {
  return has_pitch(problem) ? "  PitchedItems<{type}> {name};\n" : "  {type}* {name};\n";
}
const char* input_value(const Problem& problem) {
  return has_pitch(problem) ? "pitched(arguments.{name}, arguments.row_length, arguments.in_pitch)"
                            : "arguments.{name}";
}
const char* output_value(const Problem& problem) {
  return has_pitch(problem) ? "pitched(arguments.{name}, arguments.row_length, arguments.out_pitch)"
                            : "arguments.{name}";
}

std::string inputs_structures(const Problem& problem, const std::vector<Port>& ports) {
  const bool previous = previous_items(ports) > 0, second = previous_items(ports) > 1;
  const bool index = entry_of(problem).with_index, rows = has_row_begins(problem);
  std::string text = "// The items of a tile that a thread holds.\nstruct TileItems {\n";
  text += each(problem, ports, "  {type} {name}[items_per_thread];\n", "  {type} {name}_before;\n",
               "  {type} {name}_before2;\n");
  text += previous ? "  bool has_before;\n" : "";
  text += second ? "  bool has_before2;\n" : "";
  text += index ? "  u64 index;  // of the thread's first item\n" : "";
  text += rows ? "  RowBegins<items_per_thread> begins;\n" : "";
  text += "};\n\n// Where items come from.\nstruct TileInputs {\n";
  text += each(problem, ports, input_member(problem));
  text += previous ? "  bool is_first;  // whether they are the first of all\n" : "";
  text += index || rows ? "  u64 index;  // of the first one\n" : "";
  text += rows ? "  u64 row_length;\n" : "";
  text += "};\n\nstruct InputsStorage {\n";
  text += each(problem, ports, "  LoadStorage<{type}> {name};\n");
  text += "};\n\n__device__ __forceinline__ TileInputs all_inputs(const Arguments& arguments) {\n  return {";
  text += list(ports, input_value(problem)) + (previous ? ", true" : "") + (index || rows ? ", 0" : "") +
          (rows ? ", arguments.row_length" : "");
  text +=
      "};\n}\n\n// From item `first` on.\n"
      "__device__ __forceinline__ TileInputs inputs_from(const TileInputs& all, u64 first) {\n  return {";
  text += list(ports, "all.{name} + first") + (previous ? ", all.is_first && first == 0" : "") +
          (index || rows ? ", all.index + first" : "") + (rows ? ", all.row_length" : "");
  text +=
      "};\n}\n\n// Asks for tile `tile` ahead of time, by one thread.\n"
      "__device__ __forceinline__ void prefetch_inputs(const TileInputs& all, u64 n, u64 tile) {\n";
  text += each(problem, ports,
               has_pitch(problem) ? "  const auto from = all.{name} + tile * tile_items;\n  if (tile * tile_items < n) "
                                    "prefetch_tile<tile_items>(from.begin(), from.left(), 0);\n"
                                  : "  prefetch_tile<tile_items>(all.{name}, n, tile);\n");
  return text + "}\n";
}

std::string inputs_loads(const Problem& problem, const std::vector<Port>& ports) {
  const bool previous = previous_items(ports) > 0, second = previous_items(ports) > 1;
  std::string text =
      "// Loads a tile's first `valid` items. All arrays are read before the threads exchange the items of the first "
      "one, so\n// that their loads overlap.\ntemplate <bool whole>\n"
      "__device__ __forceinline__ void load_items(const TileInputs& from, int valid, TileItems& tile, InputsStorage& "
      "storage) {\n";
  for (const Port& port : ports) {
    // Loads of what is not exchanged may still be under way when the tile publishes.
    text += each(problem, {port},
                 port.name == entry_of(problem).only_passed_on
                     ? "  begin_loads([from = from.{name}, valid, &items = tile.{name}] {{ fetch_tile<whole>(from, "
                       "valid, items); }});\n"
                 : has_pitch(problem) ? "  fetch_rows<whole>(from.{name}, valid, tile.{name});\n"
                                      : "  fetch_tile<whole>(from.{name}, valid, tile.{name});\n",
                 "  tile.{name}_before = fetch_previous(from.{name}, valid, from.is_first);\n",
                 "  tile.{name}_before2 = fetch_second_previous(from.{name}, valid, from.is_first);\n");
  }
  text += each(problem, ports, "  arrange_tile(tile.{name}, storage.{name});\n",
               "  tile.{name}_before = previous_item(tile.{name}_before, tile.{name}[items_per_thread - 1]);\n",
               "  tile.{name}_before2 = second_previous_item(tile.{name}_before2, tile.{name}, tile.{name}_before);\n");
  text += previous ? "  tile.has_before = !from.is_first || thread_index() > 0;\n" : "";
  text += second ? "  tile.has_before2 = !from.is_first || thread_index() * items_per_thread > 1;\n" : "";
  text += entry_of(problem).with_index ? "  tile.index = from.index + u64(thread_index() * items_per_thread);\n" : "";
  text += has_row_begins(problem) ? "  tile.begins = row_begins<items_per_thread>(from.index + u64(thread_index() * "
                                    "items_per_thread), row_length_of(from.row_length));\n"
                                  : "";
  return text + "}\n\n";
}

std::string inputs_items(const Problem& problem, const std::vector<Port>& ports) {
  const bool previous = previous_items(ports) > 0, second = previous_items(ports) > 1;
  const bool index = entry_of(problem).with_index, rows = has_row_begins(problem);
  std::string text =
      "// A thread's item i of those it holds.\n"
      "__device__ __forceinline__ Item item_of(const TileItems& tile, int i) {\n  Item item;\n";
  text += each(problem, ports, "  item.{name} = tile.{name}[i];\n",
               "  item.{name}_before = i > 0 ? tile.{name}[i - 1] : tile.{name}_before;\n",
               "  item.{name}_before2 = i > 1 ? tile.{name}[i - 2] : i > 0 ? tile.{name}_before : "
               "tile.{name}_before2;\n");
  text += previous ? "  item.has_before = i > 0 || tile.has_before;\n" : "";
  text += second ? "  item.has_before2 = i > 1 || (i > 0 ? tile.has_before : tile.has_before2);\n" : "";
  text += index ? "  item.index = tile.index + u64(i);\n" : "";
  text += rows ? "  item.begins_row = begins_row(tile.begins, i);\n" : "";
  text +=
      "  return item;\n}\n\n// Loads the first `valid` items for one thread that takes them in turn.\n"
      "__device__ __forceinline__ void load_items_ahead(const TileInputs& from, int valid, "
      "Item (&items)[items_per_thread]) {\n"
      "#pragma unroll\n  for (int i = 0; i < items_per_thread; ++i) {\n    if (i >= valid) continue;\n";
  text += previous ? "    items[i].has_before = i > 0 || !from.is_first;\n" : "";
  text += second ? "    items[i].has_before2 = i > 1 || !from.is_first;\n" : "";
  text += index ? "    items[i].index = from.index + u64(i);\n" : "";
  text += rows ? "    items[i].begins_row = (from.index + u64(i)) % from.row_length == 0;\n" : "";
  text += each(
      problem, ports, "    items[i].{name} = from.{name}[i];\n",
      "    if (items[i].has_before) items[i].{name}_before = i > 0 ? items[i - 1].{name} : from.{name}[-1];\n",
      "    if (items[i].has_before2) items[i].{name}_before2 = i > 1 ? items[i - 2].{name} : from.{name}[i - 2];\n");
  return text + "  }\n}\n";
}

std::string inputs_template(const Problem& problem) {
  const std::vector<Port> ports = tile_inputs(problem);
  return fmt::format(
      "// Made from the arrays that the problem reads.\n#pragma once\n\n"
      "#include \"parameters.cuh\"\n{}{}{}#include \"tile/load.direct.cuh\"\n#include "
      "\"tile/prefetch.none.cuh\"\n\n{}\n{}{}",
      has_row_begins(problem) ? "#include \"thread/row_begins.cuh\"\n" : "",
      has_pitch(problem) ? "#include \"tile/fetch_rows.any.cuh\"\n" : "",
      previous_items(ports) > 0 ? "#include \"tile/previous_item.cuh\"\n" : "", inputs_structures(problem, ports),
      inputs_loads(problem, ports), inputs_items(problem, ports));
}

// Whether results may take the place of items that other tiles read.
std::string replaces_items(const Problem& problem, const std::vector<Port>& outputs) {
  std::string text =
      "// Whether results may take the place of items that other tiles read.\n__device__ __forceinline__ bool ";
  if (!may_replace_items(problem)) return text + "replaces_items(const Arguments&) { return false; }\n\n";
  text += "replaces_items(const Arguments& arguments) {\n  const void* const written[] = {" +
          list(outputs, "arguments.{name}") + "};\n  for (const void* to : written) {\n";
  text += each(problem, tile_inputs(problem), "    if (to == arguments.{name}) return true;\n");
  return text + "  }\n  return false;\n}\n\n";
}

std::string outputs_template(const Problem& problem) {
  const std::vector<Port> ports = tile_outputs(problem);
  std::string text =
      "// Made from the arrays that the problem writes.\n#pragma once\n\n#include \"algorithm/limits.none.cuh\"\n"
      "#include \"parameters.cuh\"\n";
  text += has_pitch(problem) ? "#include \"thread/pitched_items.cuh\"\n" : "";
  text += "\n// Where results go, from the first one on.\nstruct TileResults {\n";
  const bool both_ends = entry_of(problem).emission == Emission::both_ends, compact = is_compact(problem) && !both_ends;
  text += each(problem, ports, output_member(problem));
  text += both_ends ? "  u64 left;  // items from the first one of the tile on\n"
          : compact ? "  u64 left;  // results that there is room for\n"
                    : "";
  text += "};\n\n" + replaces_items(problem, ports);
  text += "__device__ __forceinline__ TileResults all_results(const Arguments& arguments) {\n  return {";
  text += list(ports, output_value(problem)) + (both_ends ? ", items_of(arguments)"
                                                : compact ? ", capacity_of(arguments)"
                                                          : "");
  text +=
      "};\n}\n\n// Behind the first `slots` results.\n"
      "__device__ __forceinline__ TileResults results_behind(const TileResults& all, u64 slots) {\n  return {";
  text += list(ports, "all.{name} + slots") + (both_ends ? ", all.left"
                                               : compact ? ", all.left < slots ? 0 : all.left - slots"
                                                         : "");
  text +=
      "};\n}\n\n// Writes a result.\n"
      "__device__ __forceinline__ void put_at(const TileResults& to, u64 slot, const Result& result) {\n";
  text += each(problem, ports,
               has_pitch(problem) ? "  *(to.{name} + slot).begin() = result.{name};\n"
                                  : "  to.{name}[slot] = result.{name};\n") +
          "}\n";
  if (ports.size() == 1) {
    text +=
        "\n// Of a result that goes to one array.\n__device__ __forceinline__ Output only_output(const Result& "
        "result) {\n";
    text += each(problem, ports, "  return result.{name};\n") + "}\n";
  }
  return text;
}

// How a tile's results, of which each has a slot of its own, are written.
std::string scattered_results(const Problem& problem) {
  const std::vector<Port> ports = tile_outputs(problem);
  std::string text =
      "// Made from the arrays that the problem writes.\n#pragma once\n\n#include \"parameters.cuh\"\n"
      "#include \"tile/outputs.ports.cuh\"\n#include \"tile/scatter.direct.cuh\"\n\nstruct StoreStorage {\n";
  text += each(problem, ports, "  ScatterStorage<{type}> {name};\n");
  text +=
      "};\n\n// Takes a result of a tile whose results begin at `to`, if there is one.\n"
      "__device__ __forceinline__ void put_result(const TileResults& to, bool has_result, u32 slot, const Result& "
      "result, StoreStorage& storage) {\n";
  text += each(problem, ports, "  scatter(to.{name}, has_result, slot, result.{name}, storage.{name});\n");
  text +=
      "}\n\n// After all threads of the block have put theirs: writes what is not written yet of the results in slots "
      "[begin, end).\n"
      "__device__ __forceinline__ void write_results(const TileResults& to, u32 begin, u32 end, StoreStorage& "
      "storage) {\n";
  text += each(problem, ports, "  write_scattered(to.{name}, begin, end, storage.{name});\n");
  return text + "}\n";
}

// How a tile's results at the places of its items are written: all outputs have the type Output.
std::string placed_results(const Problem& problem) {
  std::string text =
      "// Made from the arrays that the problem writes.\n#pragma once\n\n#include \"parameters.cuh\"\n"
      "#include \"tile/outputs.ports.cuh\"\n#include \"tile/store.direct.cuh\"\n";
  text += has_pitch(problem) ? "#include \"tile/store_rows.any.cuh\"\n" : "";
  text +=
      "\n// Stores a tile's first `valid` results, of which each thread holds neighbouring ones.\ntemplate <bool "
      "whole>\n"
      "__device__ __forceinline__ void store_results(const TileResults& to, int valid, const Result "
      "(&results)[items_per_thread], StoreStorage& storage) {\n  Output stored[items_per_thread];\n";
  for (const Port& port : tile_outputs(problem)) {
    text += each(problem, {port},
                 "#pragma unroll\n  for (int i = 0; i < items_per_thread; ++i) stored[i] = results[i].{name};\n");
    text += each(problem, {port},
                 has_pitch(problem) ? "  store_rows<whole>(to.{name}, valid, stored, storage);\n"
                                    : "  store_tile<whole>(to.{name}, valid, stored, storage);\n");
  }
  return text + "}\n";
}

}  // namespace

std::string ports_block(const Problem& problem) {
  if (has_plain_items(problem)) return "\n// What a place of the input holds.\nusing Item = Input;\n";
  const std::vector<Port> inputs = tile_inputs(problem);
  std::string text = "\n// What a place of the inputs holds.\nstruct Item {\n";
  text += each(problem, inputs, "  {type} {name};\n", "  {type} {name}_before;  // of the item before, if has_before\n",
               "  {type} {name}_before2;  // of the item before this one, if has_before2\n");
  text += previous_items(inputs) > 0 ? "  bool has_before;\n" : "";
  text += previous_items(inputs) > 1 ? "  bool has_before2;\n" : "";
  text += entry_of(problem).with_index ? "  u64 index;\n" : "";
  text += has_row_begins(problem) || has_segment_begins(problem) ? "  bool begins_row;\n" : "";
  text += "};\n";
  if (entry_of(problem).emission == Emission::parts) return text;  // results are items
  text += "\n// What an item emits to each output, if it emits anything.\nstruct Result {\n";
  return text + each(problem, tile_outputs(problem), "  {type} {name};\n") + "};\n";
}

std::map<std::string, std::string> port_templates(const Problem& problem) {
  if (has_plain_items(problem) || has_segment_begins(problem)) return {};
  std::map<std::string, std::string> texts = {{"tile/inputs.ports.cuh", inputs_template(problem)}};
  if (entry_of(problem).emission == Emission::parts) return texts;
  texts["tile/outputs.ports.cuh"] = outputs_template(problem);
  if (is_compact(problem)) {
    texts["tile/scatter_results.ports.cuh"] = scattered_results(problem);
  } else {
    texts["tile/store_results.ports.cuh"] = placed_results(problem);
  }
  return texts;
}

}  // namespace upsweep
