// NVRTC compiles every template on its own with its default parameters.
#include <algorithm>
#include <array>
#include <map>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/chunks.hpp"
#include "generator/space.hpp"
#include "generator/templates.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"

namespace upsweep {
namespace {

// A template file and all it includes, each once, as the preprocessor would see them.
void inline_includes(std::string_view path, std::vector<std::string>& seen, std::string& text) {
  if (std::find(seen.begin(), seen.end(), path) != seen.end()) return;
  seen.emplace_back(path);
  for (const TemplateFile& file : templates()) {
    if (file.path != path) continue;
    std::string_view rest = file.text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      constexpr std::string_view include = "#include \"";
      if (line.starts_with(include)) {
        inline_includes(line.substr(include.size(), line.size() - include.size() - 1), seen, text);
      } else if (line != "#pragma once") {
        text += std::string(line) + "\n";
      }
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return;
  }
  FAIL() << "no template " << path;
}

// The template's text on flagged values: `chosen` are in the place of other templates.
std::string text_with_flags(std::string_view path, const std::vector<const char*>& chosen,
                            std::vector<std::string>& seen) {
  std::string text;
  for (const char* each : {"value/flagged.cuh", "operator/combine.flagged.cuh"}) inline_includes(each, seen, text);
  for (const char* each : chosen) inline_includes(each, seen, text);
  seen.insert(seen.end(), {"operator/combine.value.cuh", "operator/combine.count.cuh", "algorithm/hooks.select_if.cuh",
                           "algorithm/hooks.ports.cuh"});
  inline_includes(path, seen, text);
  text = std::regex_replace(text, std::regex("using Accumulator = i32;"), "using Accumulator = Flagged<i32>;");
  text = std::regex_replace(text, std::regex("using Value = Accumulator;"), "using Value = i32;");
  return std::regex_replace(text, std::regex("  Accumulator initial;"), "  Value initial;");
}

// Folds of segments, with what the sources of segments have in the place of other templates.
std::string text_of_segments(std::string_view path, std::vector<std::string>& seen) {
  seen.insert(seen.end(), {"algorithm/limits.none.cuh", "tile/inputs.single.cuh", "tile/inputs.ports.cuh",
                           "tile/downsweep.dense.cuh", "grid/descriptor.packed_64.cuh"});
  return text_with_flags(
      path, {"algorithm/hooks.reduce_segments.cuh", "tile/inputs.segments.cuh", "grid/descriptor.packed_128.cuh"},
      seen);
}

// Sums of bytes within rows, with what the sources of rows have in the place of other templates.
std::string text_of_row_bytes(std::string_view path, std::vector<std::string>& seen) {
  std::string text = text_with_flags(path, {"thread/row_begins.cuh", "algorithm/hooks.inclusive_scan_rows.cuh"}, seen);
  text = std::regex_replace(text, std::regex("  u64 index;  // of place 0"), "  RowBegins<thread_items> begins;");
  text = std::regex_replace(text, std::regex("items.index = "), "const u64 index = ");
  text = std::regex_replace(text, std::regex("items.index"), "items.begins.words[0]");
  text = std::regex_replace(text, std::regex("Flagged<i32>"), "Flagged<i8>");
  return std::regex_replace(text, std::regex("using (Input|Output|Value) = i32;"), "using $1 = i8;");
}

// Scans of segments with gaps, likewise.
std::string text_of_gaps(std::string_view path, std::vector<std::string>& seen) {
  seen.insert(seen.end(),
              {"algorithm/limits.none.cuh", "tile/inputs.single.cuh", "tile/inputs.ports.cuh", "tile/outputs.ports.cuh",
               "algorithm/offsets.one_array.cuh", "tile/segment_gaps.none.cuh", "tile/downsweep.dense.cuh"});
  return text_with_flags(path,
                         {"algorithm/hooks.inclusive_scan_rows.cuh", "algorithm/offsets.pairs.cuh",
                          "tile/segment_gaps.bits.cuh", "tile/inputs.segments.cuh", "tile/outputs.segments.cuh"},
                         seen);
}

// Whether the template needs what is made for a problem of segments, and no default has: SegmentKernels.Compile of
// nvrtc_shapes_test.cpp compiles it.
bool is_compiled_with_its_problem(std::string_view path) {
  constexpr std::array of_segments{"pipeline/scan_and_store.dense_gaps.cuh", "pipeline/scan_and_store.segment_ends.cuh",
                                   "pipeline/fold_share.segment_ends.cuh", "kernel/scan.lookahead_turns.cuh",
                                   "kernel/reduce.segment_pieces.cuh"};
  return std::find(of_segments.begin(), of_segments.end(), path) != of_segments.end();
}

// The template's text, all it includes and its default parameters. Some kinds do not take the default types, i32:
// native arithmetic is for an accumulator of the type it names, that of complex values and of sums in bins for one of
// these, packed arithmetic for bytes, and folds of segments and scans by key for flagged values. A step of the
// reduction ladder takes just 16 bytes per thread.
std::string text_with_defaults(std::string_view path, std::vector<std::string>& seen) {
  std::string text;
  if (path.ends_with("dense_gaps.cuh") || path.find("segment_gaps") != std::string_view::npos)
    return text_of_gaps(path, seen);
  if (path.ends_with("segment_ends.cuh") || path.ends_with("merge_path.cuh") ||
      path.ends_with("segment_lookback.cuh") || path.ends_with("shared_segments.cuh") ||
      path.ends_with("segment_groups_shared.cuh"))
    return text_of_segments(path, seen);
  if (path.ends_with("row_bytes.cuh")) return text_of_row_bytes(path, seen);
  if (path.ends_with("dense_ports.cuh")) {
    return text_with_flags(path, {"algorithm/hooks.inclusive_scan_by_key.cuh"}, seen);
  }
  for (const std::string half : {"f16", "bf16"}) {
    if (!path.ends_with("_native_" + half + ".cuh")) continue;
    inline_includes("value/" + half + ".cuh", seen, text);
    inline_includes(path, seen, text);
    return std::regex_replace(text, std::regex("using Accumulator = i32;"), "using Accumulator = " + half + ";");
  }
  if (path.ends_with("_complex.cuh")) {
    inline_includes("value/complex.cuh", seen, text);
    inline_includes(path, seen, text);
    return std::regex_replace(text, std::regex("using Accumulator = i32;"), "using Accumulator = c64;");
  }
  if (path.ends_with("thread_fold.binned.cuh")) {
    inline_includes("value/binned.cuh", seen, text);
    inline_includes(path, seen, text);
    return std::regex_replace(text, std::regex("using (Input|Accumulator) = i32;"),
                              "using $1 = Binned<float, 3, -149, 128>;");
  }
  inline_includes(path, seen, text);
  const auto names = [&](std::string_view part) { return path.find(part) != std::string_view::npos; };
  if (names("ladder_bulk")) {
    return std::regex_replace(text, std::regex("int items_per_thread = 16;"), "int items_per_thread = 4;");
  }
  if (!names("byte") && !names("16x2")) return text;
  return std::regex_replace(text, std::regex("using (Input|Accumulator|Output) = i32;"), "using $1 = i8;");
}

// Names that a target declares for newer devices only, with their compute capability. In templates/target/cuda*.cuh a
// comment that ends in "; sm_90" speaks of the declaration below it, or, standing alone, of all up to the next such.
std::map<std::string, int> newer_names() {
  static const std::regex mark("; sm_([0-9]+)");
  std::map<std::string, int> found;
  for (const TemplateFile& file : templates()) {
    if (!file.path.starts_with("target/cuda")) continue;
    int section = 0;
    for (const Chunk& chunk : cut(file.text).chunks) {
      std::smatch match;
      const int marked = std::regex_search(chunk.text, match, mark) ? std::stoi(match[1]) : 0;
      if (chunk.comment_only) section = marked;
      for (const std::string& name : chunk.names) found[name] = std::max(section, marked);
    }
  }
  std::erase_if(found, [](const auto& name) { return name.second == 0; });
  return found;
}

int oldest_capability(const std::vector<std::string>& paths) {
  static const std::map<std::string, int> newer = newer_names();
  int oldest = 75;
  for (const TemplateFile& file : templates()) {
    if (file.path.starts_with("target/") || std::find(paths.begin(), paths.end(), file.path) == paths.end()) continue;
    for (const std::string& name : identifiers(file.text)) {
      if (const auto at = newer.find(name); at != newer.end()) oldest = std::max(oldest, at->second);
    }
  }
  return oldest;
}

TEST(Templates, TargetSaysWhatIsNewer) {
  const std::map<std::string, int> newer = newer_names();
  EXPECT_EQ(newer.at("copy_async"), 80);
  EXPECT_EQ(newer.at("poll_phase"), 80);
  EXPECT_EQ(newer.at("wait_phase"), 90);
  EXPECT_EQ(newer.at("bulk_prefetch"), 90);
  EXPECT_EQ(newer.at("cluster_rank"), 90);
  EXPECT_EQ(newer.at("wait_for_previous_kernel"), 90);
  EXPECT_EQ(newer.at("add_bf16"), 90);
  EXPECT_EQ(newer.at("maximum_f32"), 80);
  for (const char* everywhere : {"shuffle_up", "bf16_of_float", "minimum_or_nan"})
    EXPECT_FALSE(newer.contains(everywhere));
}

// The stages of `lookahead` are aligned to 128 bytes; small ones lie in static shared memory.
TEST(Templates, StaticSharedMemoryIsAlignedAsItsTypeAsks) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
  const Config config = Space(problem, limits_of_architecture("sm_90"))
                            .complete({"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 1}, {"stages", 5}}});
  const Source source = generate(problem, config);
  ASSERT_NE(source.text.find("static_shared"), std::string::npos);
  const std::string ptx = runtime::NvrtcCompiler().compile(source, "sm_90").ptx;
  EXPECT_NE(ptx.find(".shared .align 128 "), std::string::npos);
}

// On the oldest architecture that has all it uses. Whole kernels are compiled for newer ones, too (nvrtc_test.cpp).
TEST(Templates, EachCompilesAloneWithItsDefaults) {
  runtime::NvrtcCompiler compiler;
  std::map<int, int> compiled;  // by the oldest compute capability
  for (const TemplateFile& file : templates()) {
    if (file.path.starts_with("target/host") || is_compiled_with_its_problem(file.path)) continue;
    std::vector<std::string> seen;
    const Source source{.text = text_with_defaults(file.path, seen),
                        .entry = "",
                        .key = std::string(file.path),
                        .launch = {},
                        .workspace = {}};
    const int oldest = oldest_capability(seen);
    try {
      (void)compiler.compile(source, fmt::format("sm_{}", oldest));
    } catch (const CompilerError& error) {
      ADD_FAILURE() << file.path << " for sm_" << oldest << "\n" << error.details().substr(0, 2000);
    }
    ++compiled[oldest];
  }
  EXPECT_GT(compiled[75], 70);
  EXPECT_GT(compiled[80], 1);
  EXPECT_GT(compiled[90], 10);
}

}  // namespace
}  // namespace upsweep
