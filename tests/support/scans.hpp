// The algorithms that take an associative operator and have the arrays in and out.
#pragma once

#include <array>

#include <upsweep/types.hpp>

namespace upsweep::test {

inline constexpr std::array scans_and_reduces{Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce};

}  // namespace upsweep::test
