#include "generator/accuracy.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/names.hpp"
#include "generator/shape.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

constexpr std::array accuracy_names{"plain", "kahan", "neumaier", "double_double", "binned"};

// Bytes of a Binned: of each bin 8, of a wide one 4 more, and of the state 4.
std::size_t binned_size(const Problem& problem) noexcept {
  const auto bins = static_cast<std::size_t>(binned_format(problem).bins);
  const std::size_t wide_bins = part_of_sum(problem) == Type::f64 ? bins : 1;
  return (bins * 8 + wide_bins * 4 + 4 + 7) / 8 * 8;
}

}  // namespace

std::span<const Accuracy> all_accuracies() noexcept {
  static constexpr std::array accuracies{Accuracy::plain, Accuracy::kahan, Accuracy::neumaier, Accuracy::double_double,
                                         Accuracy::binned};
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

Type part_of_sum(const Problem& problem) noexcept {
  return is_half(problem.accumulator) ? Type::f32 : problem.accumulator;
}

// The items and the initial value are of one type of 16 bits, or numbers of the part. Of f16, two bins have room for
// every digit.
BinnedFormat binned_format(const Problem& problem) noexcept {
  const bool is_narrow = is_half(problem.accumulator) && problem.input == problem.accumulator;
  const FloatingFormat& format = entry_of(is_narrow ? problem.accumulator : part_of_sum(problem)).format;
  return {.bins = is_narrow ? 2 : 3,
          .first_exponent = format.least_exponent - format.digits + 1,
          .end_exponent = format.greatest_exponent + 1};
}

SumType sum_type(const Problem& problem) {
  const std::string_view part = entry_of(part_of_sum(problem)).spelling;
  if (!is_binned(problem)) return {fmt::format("Compensated<{}>", part), "value/compensated.cuh"};
  const BinnedFormat format = binned_format(problem);
  return {fmt::format("Binned<{}, {}, {}, {}>", part, format.bins, format.first_exponent, format.end_exponent),
          "value/binned.cuh"};
}

std::size_t value_size(const Problem& problem) noexcept {
  return is_binned(problem)        ? binned_size(problem)
         : is_compensated(problem) ? 2 * size_of(part_of_sum(problem))
                                   : size_of(problem.accumulator);
}

std::size_t value_alignment(const Problem& problem) noexcept {
  return is_binned(problem) ? 8 : is_compensated(problem) ? value_size(problem) : alignment_of(problem.accumulator);
}

void validate_accuracy(const Problem& problem) {
  if (problem.accuracy == Accuracy::plain) return;
  const std::string_view accuracy = name(problem.accuracy);
  const Emission emission = entry_of(problem).emission;
  const bool sums = entry_of(problem).fold == Fold::values &&
                    (emission == Emission::dense || emission == Emission::at_end) && has_plain_items(problem);
  if (problem.shape != Shape::flat) {
    const ShapeWords& words = words_of(problem.shape);
    throw UsageError(fmt::format("sums {} have no accuracy {}: leave out the accuracy, or the {}", words.of_parts,
                                 accuracy, words.name));
  }
  if (!sums) {
    throw UsageError(fmt::format("{} has no sums with accuracy {}: use a scan or reduce, or leave out the accuracy",
                                 name(problem.algorithm), accuracy));
  }
  if (is_binned(problem) && emission != Emission::at_end) {
    throw UsageError(
        fmt::format("{} has no sums with accuracy binned: use a reduce, or another accuracy", name(problem.algorithm)));
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
  if (size_of(problem.input) > size_of(part_of_sum(problem))) {
    throw UsageError(
        fmt::format("with accuracy {}, items of {} must not be rounded to {} before they are added: use {} as "
                    "accumulator",
                    accuracy, name(problem.input), name(part_of_sum(problem)), name(problem.input)));
  }
}

}  // namespace upsweep
