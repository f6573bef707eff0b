// Counts what operator new is asked for. Its source replaces the operator for the whole program.
#pragma once

#include <cstdint>

namespace upsweep::runtime::test {

// Allocations by the calling thread so far.
[[nodiscard]] std::uint64_t allocations();

}  // namespace upsweep::runtime::test
