// The algorithms there are.
#pragma once

namespace upsweep {

struct AlgorithmEntry;

const AlgorithmEntry& inclusive_scan_entry() noexcept;
const AlgorithmEntry& exclusive_scan_entry() noexcept;
const AlgorithmEntry& reduce_entry() noexcept;

}  // namespace upsweep
