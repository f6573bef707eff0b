// What the templates of generator/stage_ports.hpp have of segments: items begin with the first offset, and the places
// with which segments begin are marked while a stage is filled.
#pragma once

#include <string>

#include <upsweep/problem.hpp>

namespace upsweep::segment_stages {

// The rest of struct Span, and its functions.
[[nodiscard]] std::string span(const Problem& problem);

// The function of that name, which loads a tile and marks its places.
[[nodiscard]] std::string mark_in_turn(const Problem& problem);

// Of folds: the function totals_of_tile, the template of what waits besides, and whether totals take the place of the
// tile's items.
[[nodiscard]] std::string totals(const Problem& problem);
[[nodiscard]] std::string results();
[[nodiscard]] bool totals_in_place(const Problem& problem);

}  // namespace upsweep::segment_stages
