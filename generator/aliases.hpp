// The names by which people call types, operators and algorithms: `int`, `sum`, `+`. Only for what somebody types;
// stored text has the names of upsweep/types.hpp alone.
#pragma once

#include <string_view>

#include <upsweep/types.hpp>

namespace upsweep {

// The value of that name or alias. Throws UsageError, naming the known ones and those that may have been meant. `char`
// and `long` are refused: their sign and width differ between compilers.
[[nodiscard]] Type type_named(std::string_view text);
[[nodiscard]] Operator operator_named(std::string_view text);
[[nodiscard]] Algorithm algorithm_named(std::string_view text);

}  // namespace upsweep
