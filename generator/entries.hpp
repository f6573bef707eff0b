// The built-in entries, in no particular order: one for each of the files in generator/types, generator/operators and
// generator/algorithms. generator/CMakeLists.txt writes their list.
#pragma once

#include <vector>

namespace upsweep {

struct AlgorithmEntry;
struct OperatorEntry;
struct TypeEntry;

[[nodiscard]] std::vector<const TypeEntry*> built_in_types();
[[nodiscard]] std::vector<const OperatorEntry*> built_in_operators();
[[nodiscard]] std::vector<const AlgorithmEntry*> built_in_algorithms();

}  // namespace upsweep
