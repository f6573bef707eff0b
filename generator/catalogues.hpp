// All types, operators and algorithms that this process knows.
#pragma once

#include "generator/algorithm.hpp"
#include "generator/catalogue.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

// The numbers have room in the key of a kept plan (runtime/engine.cpp).
constexpr std::size_t most_types = 4096, most_operators = 4096, most_algorithms = 256;

using TypeCatalogue = Catalogue<Type, TypeEntry, most_types>;
using OperatorCatalogue = Catalogue<Operator, OperatorEntry, most_operators>;
using AlgorithmCatalogue = Catalogue<Algorithm, AlgorithmEntry, most_algorithms>;

[[nodiscard]] TypeCatalogue& types() noexcept;
[[nodiscard]] OperatorCatalogue& operators() noexcept;
[[nodiscard]] AlgorithmCatalogue& algorithms() noexcept;

}  // namespace upsweep
