// Stages of the schedule lookahead for problems that read or write several arrays: a part for each array that is read.
#pragma once

#include <map>
#include <string>

#include <upsweep/problem.hpp>

#include "generator/tile_storage.hpp"

namespace upsweep::stage_ports {

// Whether the items of all arrays fill vectors, and tiles can lie on a grid of addresses of one of them.
[[nodiscard]] bool are_supported(const Problem& problem);

// Takes the place of the files arrays, stage, results and gatherings.ports.cuh in templates/pipeline, by path.
[[nodiscard]] std::map<std::string, std::string> templates(const Problem& problem);

// Whether results of any array wait in the memory of a stage's items.
[[nodiscard]] bool results_in_stage(const Problem& problem);

// Stage, and ResultStorage, of these templates, for tiles of so many items.
[[nodiscard]] tiles::Layout stage_layout(const Problem& problem, std::int64_t tile_items, std::int64_t worker_warps);
[[nodiscard]] tiles::Layout results_layout(const Problem& problem, std::int64_t tile_items, std::int64_t worker_warps);

}  // namespace upsweep::stage_ports
