// Configs as databases and files of results hold them: without the parameters that are newer than they are.
#pragma once

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

// The config with the values that stand for parameters that it lacks (Parameter::absent). All else is left as it is,
// also what is not valid.
[[nodiscard]] Config with_absent(const Problem& problem, Config stored);

}  // namespace upsweep
