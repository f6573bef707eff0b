#include "generator/accuracy.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/names.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

constexpr std::array accuracy_names{"plain", "kahan", "neumaier", "double_double"};

}  // namespace

std::span<const Accuracy> all_accuracies() noexcept {
  static constexpr std::array accuracies{Accuracy::plain, Accuracy::kahan, Accuracy::neumaier, Accuracy::double_double};
  return accuracies;
}

std::string_view name(Accuracy accuracy) noexcept {
  return accuracy_names[static_cast<std::size_t>(accuracy)];
}

Accuracy parse_accuracy(std::string_view text) {
  for (const Accuracy accuracy : all_accuracies()) {
    if (name(accuracy) == text) return accuracy;
  }
  throw UsageError(unknown_name("accuracy", text, as_names(accuracy_names)));
}

Type compensated_part(const Problem& problem) noexcept {
  return is_half(problem.accumulator) ? Type::f32 : problem.accumulator;
}

std::size_t value_size(const Problem& problem) noexcept {
  return is_compensated(problem) ? 2 * size_of(compensated_part(problem)) : size_of(problem.accumulator);
}

void validate_accuracy(const Problem& problem) {
  if (!is_compensated(problem)) return;
  const std::string_view accuracy = name(problem.accuracy);
  const Emission emission = entry_of(problem).emission;
  const bool sums = entry_of(problem).fold == Fold::values &&
                    (emission == Emission::dense || emission == Emission::at_end) && has_plain_items(problem);
  if (!sums) {
    throw UsageError(fmt::format("{} has no sums with accuracy {}: use a scan or reduce, or leave out the accuracy",
                                 name(problem.algorithm), accuracy));
  }
  if (problem.op != Operator::plus) {
    throw UsageError(
        fmt::format("accuracy {} is for the operator plus, not for {}: use plus, or leave out the accuracy", accuracy,
                    name(problem.op)));
  }
  for (const Type type : {problem.input, problem.accumulator, problem.output}) {
    if (is_floating(type) && !is_complex(type)) continue;
    throw UsageError(fmt::format(
        "accuracy {} is for sums of f16, bf16, f32 and f64, not of {}: use one of these types, or leave out "
        "the accuracy",
        accuracy, name(type)));
  }
  if (size_of(problem.input) > size_of(compensated_part(problem))) {
    throw UsageError(
        fmt::format("with accuracy {}, items of {} must not be rounded to {} before they are added: use {} as "
                    "accumulator",
                    accuracy, name(problem.input), name(compensated_part(problem)), name(problem.input)));
  }
}

}  // namespace upsweep
