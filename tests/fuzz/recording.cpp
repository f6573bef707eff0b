// Recorded spaces (`upsweep record`), which searches are simulated on. Input: the text.
#include "tuner/search/recording.hpp"

#include <memory>
#include <random>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/json_mutator.hpp"

UPSWEEP_FUZZ_JSON(0)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto recording = fuzz::accepted<InputError>([&] { return tuner::read_recording(text); });
  if (!recording) return 0;
  const std::string written = tuner::write_recording(*recording);
  fuzz::require(tuner::read_recording(written) == *recording, "a recording does not read back");
  const auto space = fuzz::accepted<InputError>([&] { return std::make_unique<tuner::RecordedSpace>(*recording); });
  if (!space) return 0;
  fuzz::require((*space)->time((*space)->default_config()).has_value(), "the default config has no time");
  std::mt19937_64 random(1);
  if (const auto index = (*space)->sample(random)) {
    fuzz::require((*space)->contains(*index), "a sample is not in the space");
    for (const std::uint64_t neighbour : (*space)->neighbours(*index)) {
      fuzz::require((*space)->contains(neighbour), "a neighbour is not in the space");
    }
  }
  return 0;
}
