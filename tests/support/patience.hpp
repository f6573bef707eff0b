// Time limits of tests, for builds that are slow.
#pragma once

namespace upsweep::test {

// What a test multiplies its time limits by: with ThreadSanitizer, kernels on the host device and workers take several
// times as long.
#if defined(UPSWEEP_MARKS_FOR_TSAN)
inline constexpr int patience = 6;
#else
inline constexpr int patience = 1;
#endif

}  // namespace upsweep::test
