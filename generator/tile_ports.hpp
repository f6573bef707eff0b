// The text of kernels that depends on how many arrays a problem has: made from its ports.
#pragma once

#include <map>
#include <string>

#include <upsweep/problem.hpp>

namespace upsweep {

// struct Item, what a place of the inputs holds, and, for compact emission, struct Result, what an item emits to each
// output. For the block of parameters.
[[nodiscard]] std::string ports_block(const Problem& problem);

// Takes the place of templates/tile/inputs.ports.cuh and outputs.ports.cuh, by path.
[[nodiscard]] std::map<std::string, std::string> port_templates(const Problem& problem);

}  // namespace upsweep
