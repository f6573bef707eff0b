#include <upsweep/types.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/catalogues.hpp"
#include "generator/entries.hpp"
#include "generator/names.hpp"

namespace upsweep {
namespace {

// Of all shapes; made once.
const std::vector<const AlgorithmEntry*>& entries_of_algorithms() {
  static const auto& entries = *new std::vector<const AlgorithmEntry*>(built_in_algorithms());
  return entries;
}

std::vector<const AlgorithmEntry*> flat_algorithms() {
  std::vector<const AlgorithmEntry*> entries = entries_of_algorithms();
  std::erase_if(entries, [](const AlgorithmEntry* entry) { return entry->shape != Shape::flat; });
  return entries;
}

using EntriesByAlgorithm = std::array<const AlgorithmEntry*, most_algorithms>;

// Of a shape other than `flat`; null for algorithms that do not take it.
const EntriesByAlgorithm& entries_of(Shape shape) noexcept {
  constexpr std::size_t shapes = static_cast<std::size_t>(Shape::segments) + 1;
  static const std::array<EntriesByAlgorithm, shapes> entries = [] {
    std::array<EntriesByAlgorithm, shapes> found{};
    for (const AlgorithmEntry* const entry : entries_of_algorithms()) {
      if (entry->shape == Shape::flat) continue;
      found[static_cast<std::size_t>(entry->shape)][static_cast<std::size_t>(*entry->enumerator)] = entry;
    }
    return found;
  }();
  return entries[static_cast<std::size_t>(shape)];
}

template <typename Known>
auto parse(std::string_view what, std::string_view text, Known& known) {
  if (const auto id = known.find(text)) return *id;
  if (text.find('@') != text.npos) {
    throw UsageError(
        fmt::format("the {} '{}' is not defined in this process: define it first", what, base::clipped(text)));
  }
  std::vector<std::string> names;
  for (const auto id : known.built_in()) names.emplace_back(known.at(id).name);
  throw UsageError(unknown_name(what, text, names));
}

}  // namespace

TypeCatalogue& types() noexcept {
  static constinit TypeCatalogue catalogue("type", built_in_types);
  return catalogue;
}
OperatorCatalogue& operators() noexcept {
  static constinit OperatorCatalogue catalogue("operator", built_in_operators);
  return catalogue;
}
AlgorithmCatalogue& algorithms() noexcept {
  static constinit AlgorithmCatalogue catalogue("algorithm", flat_algorithms);
  return catalogue;
}

const TypeEntry& entry_of(Type type) noexcept {
  return types().at(type);
}
const OperatorEntry& entry_of(Operator op) noexcept {
  return operators().at(op);
}
const AlgorithmEntry& entry_of(Algorithm algorithm) noexcept {
  return algorithms().at(algorithm);
}
const AlgorithmEntry& entry_of(Algorithm algorithm, Shape shape) noexcept {
  if (shape == Shape::flat || !has_shape(algorithm, shape)) return entry_of(algorithm);
  return *entries_of(shape)[static_cast<std::size_t>(algorithm)];
}
bool has_shape(Algorithm algorithm, Shape shape) noexcept {
  return shape == Shape::flat || entries_of(shape)[static_cast<std::size_t>(algorithm)] != nullptr;
}

std::span<const Type> all_types() noexcept {
  return types().built_in();
}
namespace {

// In the enumeration, the associative ones come first, and the predicates last.
std::size_t count_of(bool OperatorEntry::*property) noexcept {
  const std::span<const Operator> all = operators().built_in();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](Operator op) { return entry_of(op).*property; }));
}

}  // namespace

std::span<const Operator> all_operators() noexcept {
  return operators().built_in().first(count_of(&OperatorEntry::associative));
}
std::span<const Operator> all_nonassociative_operators() noexcept {
  const std::span<const Operator> all = operators().built_in();
  const std::size_t associative = count_of(&OperatorEntry::associative);
  return all.subspan(associative, all.size() - associative - count_of(&OperatorEntry::is_predicate));
}
std::span<const Operator> all_predicates() noexcept {
  return operators().built_in().last(count_of(&OperatorEntry::is_predicate));
}
std::span<const Algorithm> all_algorithms() noexcept {
  return algorithms().built_in();
}

std::string_view name(Type type) noexcept {
  return entry_of(type).name;
}
std::string_view name(Operator op) noexcept {
  return entry_of(op).name;
}
std::string_view name(Algorithm algorithm) noexcept {
  return entry_of(algorithm).name;
}

Type parse_type(std::string_view text) {
  return parse("type", text, types());
}
Operator parse_operator(std::string_view text) {
  return parse("operator", text, operators());
}
Algorithm parse_algorithm(std::string_view text) {
  return parse("algorithm", text, algorithms());
}

std::size_t size_of(Type type) noexcept {
  return entry_of(type).size;
}
std::size_t alignment_of(Type type) noexcept {
  return entry_of(type).alignment;
}
std::vector<Field> fields_of(Type type) {
  const TypeEntry& entry = entry_of(type);
  return entry.fields.empty() ? std::vector<Field>{{type, 0}} : entry.fields;
}
bool is_floating(Type type) noexcept {
  const Kind kind = entry_of(type).kind;
  return kind == Kind::floating || kind == Kind::complex;
}
bool is_complex(Type type) noexcept {
  return entry_of(type).kind == Kind::complex;
}
bool is_signed(Type type) noexcept {
  return is_number(type) && entry_of(type).kind != Kind::unsigned_integer;
}
Type part_of(Type type) noexcept {
  return entry_of(type).part.value_or(type);
}
bool is_number(Type type) noexcept {
  return entry_of(type).kind != Kind::structure;
}
bool is_integer(Type type) noexcept {
  return is_number(type) && !is_floating(type);
}
bool is_ordered(Type type) noexcept {
  return is_number(type) && !is_complex(type);
}
bool is_half(Type type) noexcept {
  return entry_of(type).kind == Kind::floating && size_of(type) == 2;
}
Scalar zero_of(Type type) {
  return entry_of(type).zero;
}
Scalar one_of(Type type) {
  return entry_of(type).one;
}
Scalar ones_of(Type type) {
  return entry_of(type).ones;
}
Scalar least_of(Type type) {
  return entry_of(type).least;
}
Scalar most_of(Type type) {
  return entry_of(type).most;
}

bool is_commutative(Operator op) noexcept {
  return entry_of(op).commutative;
}
bool is_exact(Operator op, Type type) {
  const OperatorEntry& entry = entry_of(op);
  return entry.exact && entry.exact(type);
}

void validate(Operator op, Type type) {
  const OperatorEntry& entry = entry_of(op);
  if (entry.takes && entry.takes(type)) return;
  throw UsageError(fmt::format("operator {} does not take {}: use {}", entry.name, name(type),
                               entry.takes_text.empty() ? "another type" : entry.takes_text));
}

}  // namespace upsweep
