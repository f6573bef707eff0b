// The step that counts the items that are kept, where the places of results depend on their number.
#pragma once

#include <vector>

#include <upsweep/problem.hpp>

#include "generator/assemble.hpp"

namespace upsweep {

// Gives each step the scratch `total`: the number of items that are kept. Unless `counts_itself`, which says that the
// steps count them, a step that does goes before them.
void add_count(std::vector<Recipe>& steps, const Problem& problem, bool counts_itself);

}  // namespace upsweep
