// What the templates of generator/stage_ports.hpp have of segments: items begin with the first offset, and the places
// with which segments begin are marked while a stage is filled.
#pragma once

#include <string>

namespace upsweep::segment_stages {

// The rest of struct Span, and its functions.
[[nodiscard]] std::string span();

// The beginning of fill_stage(): asks for the items, and marks their places.
[[nodiscard]] std::string marks();

}  // namespace upsweep::segment_stages
