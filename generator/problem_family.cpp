#include "generator/problem_family.hpp"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generator/accuracy.hpp"
#include "generator/shape.hpp"

namespace upsweep {
namespace {

Family::Value value_of(Type type) noexcept {
  if (!is_number(type)) return {.kind = Family::Kind::structure, .own = type};
  return {.kind = is_complex(type)    ? Family::Kind::complex
                  : is_floating(type) ? Family::Kind::floating
                                      : Family::Kind::integer};
}

Family::Function function_of(const Problem& problem) noexcept {
  const OperatorCost cost = entry_of(problem.op).cost;
  if (cost == OperatorCost::unknown) return {.cost = cost, .own = problem.op};
  return {.cost = cost, .compensated = is_compensated(problem), .binned = is_binned(problem)};
}

// "dense", "rows_dense", "rows_2^6_indexed", "axis_2^10_2^6_aligned_16_dense", "segments_2^6_indexed".
std::string text_of_emission(const Family& family) {
  constexpr std::array names{"dense", "compact", "at_end", "both_ends", "parts", "indexed"};
  std::string shape;
  if (family.shape != Shape::flat) shape = fmt::format("{}_", words_of(family.shape).name);
  if (family.shape == Shape::axis || family.row_class > 0) shape += fmt::format("2^{}_", family.row_class);
  if (family.shape == Shape::axis) shape += fmt::format("2^{}_aligned_{}_", family.inner_class, family.row_alignment);
  return fmt::format("{}{}{}", shape, family.is_folded ? "" : "unfolded_",
                     names[static_cast<std::size_t>(family.emission)]);
}

std::string text_of(const Family::Function& function) {
  constexpr std::array names{"unknown", "addition", "extremum", "product", "carry", "comparison"};
  if (function.own) return std::string(name(*function.own));
  return fmt::format("{}{}{}", function.compensated ? "compensated_" : "", function.binned ? "binned_" : "",
                     names[static_cast<std::size_t>(function.cost)]);
}

std::string_view text_of(const Family::Value& value) {
  constexpr std::array names{"integer", "floating", "complex", "structure", "bits"};
  return value.own ? name(*value.own) : names[static_cast<std::size_t>(value.kind)];
}

}  // namespace

Family family_of(const Problem& problem) noexcept {
  const AlgorithmEntry& entry = entry_of(problem);
  Family family{.shape = problem.shape,
                .row_class = entry.emission == Emission::indexed || problem.shape == Shape::axis
                                 ? size_class(problem.row_length)
                                 : 0,
                .inner_class = inner_class(problem.inner),
                .row_alignment = problem.shape == Shape::axis ? row_alignment(problem) : 0,
                .emission = entry.emission,
                .is_folded = is_folded(problem),
                .algorithm = entry.reverse_of.value_or(problem.algorithm),
                .function = function_of(problem)};
  const auto add_wide = [&](std::size_t width, const Family::Value& value) {
    family.widths[family.types] = width;
    family.values[family.types++] = value;
  };
  const auto add = [&](Type type, const Family::Value& value) { add_wide(size_of(type), value); };
  const bool passes_on = !entry.only_passed_on.empty();
  const auto item = [&](Type type) { return passes_on ? Family::Value{.kind = Family::Kind::bits} : value_of(type); };
  add(problem.input, item(problem.input));
  add_wide(value_size(problem), value_of(problem.accumulator));
  add(problem.output, item(problem.output));
  if (problem.key) add(*problem.key, value_of(*problem.key));
  return family;
}

bool same_but_for_size(const Problem& a, const Problem& b) noexcept {
  if (!same_shape(a, b)) return false;
  Problem sized = a;
  sized.size = b.size;
  sized.row_length = b.row_length;
  sized.inner = b.inner;
  sized.row_pitch = b.row_pitch;
  sized.unordered_segments = b.unordered_segments;
  return sized == b;
}

bool same_but_for_hints(const Problem& a, const Problem& b) noexcept {
  Problem hinted = a;
  hinted.size = b.size;
  hinted.density = b.density;
  hinted.row_length = b.row_length;
  hinted.inner = b.inner;
  hinted.row_pitch = b.row_pitch;
  hinted.unordered_segments = b.unordered_segments;
  return hinted == b;
}

Nearness nearness(const Problem& a, const Problem& b) noexcept {
  if (same_but_for_size(a, b)) return Nearness::same_problem;
  const Family one = family_of(a), other = family_of(b);
  if (one.shape != other.shape || one.row_class != other.row_class || one.inner_class != other.inner_class ||
      one.row_alignment != other.row_alignment || one.emission != other.emission || one.is_folded != other.is_folded ||
      one.widths != other.widths) {
    return Nearness::unrelated;
  }
  if (one.algorithm != other.algorithm || one.function != other.function) return Nearness::same_widths;
  return one.values == other.values ? Nearness::same_kinds : Nearness::may_serve;
}

std::string family_text(const Problem& problem, Nearness least) {
  const Family family = family_of(problem);
  std::string text = family_rule;
  if (least >= Nearness::same_widths) {
    text += fmt::format("{}/{}/", text_of_emission(family),
                        fmt::join(family.widths.begin(), family.widths.begin() + family.types, ","));
  }
  if (least >= Nearness::may_serve) text += fmt::format("{}/{}/", name(family.algorithm), text_of(family.function));
  if (least >= Nearness::same_kinds) {
    std::vector<std::string_view> values;
    for (std::size_t i = 0; i < family.types; ++i) values.push_back(text_of(family.values[i]));
    text += fmt::format("{}/", fmt::join(values, ","));
  }
  return text;
}

}  // namespace upsweep
