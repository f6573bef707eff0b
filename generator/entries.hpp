// The built-in entries. Types, operators and algorithms are in no particular order: one for each of the files in
// generator/types, generator/operators and generator/algorithms. generator/CMakeLists.txt writes their list.
#pragma once

#include <vector>

namespace upsweep {

class Schedule;
struct AlgorithmEntry;
struct OperatorEntry;
struct TypeEntry;

[[nodiscard]] std::vector<const TypeEntry*> built_in_types();
[[nodiscard]] std::vector<const OperatorEntry*> built_in_operators();
[[nodiscard]] std::vector<const AlgorithmEntry*> built_in_algorithms();

// In the order in which they are listed and sampled (generator/schedules/schedules.cpp).
[[nodiscard]] std::vector<const Schedule*> built_in_schedules();

}  // namespace upsweep
