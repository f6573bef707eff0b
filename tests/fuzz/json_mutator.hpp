// Mutates JSON as JSON, half of the time: bytes changed at random are no JSON most of the time, and would test nothing
// but its parser. Only for libFuzzer; where the inputs are replayed there is nothing to mutate.
#pragma once

#include <cstddef>
#include <cstdint>

namespace upsweep::fuzz {

// For LLVMFuzzerCustomMutator; the JSON starts behind so many bytes of another kind.
[[nodiscard]] std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                                      std::size_t before);

}  // namespace upsweep::fuzz

#ifdef UPSWEEP_LIBFUZZER
#define UPSWEEP_FUZZ_JSON(before)                                                                        \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, \
                                                 unsigned seed) {                                        \
    return upsweep::fuzz::mutate_json(data, size, most, seed, before);                                   \
  }
#else
#define UPSWEEP_FUZZ_JSON(before)
#endif
