// Designated initialisers of every public struct, and typed calls: no warning in the user's code.
#include <chrono>
#include <complex>
#include <cstdint>

#include <upsweep/upsweep.hpp>

using namespace upsweep;

Context context_of_one_option() {
  return Context({.device = "host"});
}
ContextOptions context_options() {
  return {.database = "none"};
}
TuneOptions tune_options() {
  return {.budget = std::chrono::seconds(2)};
}
TuneOptions more_tune_options() {
  return {.sizes = {1, 2}};
}
TuneJob tune_job() {
  return {.problem = {}};
}
TuneJob another_tune_job() {
  return {.sizes = {1}};
}
TuneProgress tune_progress() {
  return {.trials = 1};
}
TunedSize tuned_size() {
  return {.size = 1};
}
TuneReport tune_report() {
  return {.stopped = false};
}
Problem problem() {
  return {.op = maximum};
}
Config config() {
  return {.schedule = "lookback"};
}
Config another_config() {
  return {.values = {}};
}
DeviceIdentity device_identity() {
  return {.compute_major = 9};
}
DeviceLimits device_limits() {
  return {.compute_capability = 90};
}
Environment environment() {
  return {.compiler = "nvrtc 13.0"};
}
LaunchRule launch_rule() {
  return {.shared_bytes = 1};
}
WorkspaceRule workspace_rule() {
  return {.slot_bytes = 1};
}
Source source() {
  return {.text = "x"};
}
Scalar scalar() {
  return {.type = Type::i64};
}
void selections(Context& context, float* items, const bool* flags, const char* letters, std::complex<double>* waves) {
  std::uint32_t* narrow = nullptr;
  unsigned long long* count = nullptr;
  const char limit = 'a';
  context.select_if(items, items, narrow, 3, less, 1.5);
  context.select_if(waves, waves, count, 3, not_equal_to, 0.0, nullptr);
  context.select_if(items, items, count, 3, less, in_memory(items), nullptr);
  context.select_flagged(items, flags, items, count, 3);
  context.select_flagged(items, flags, items, count, 3, equal_to, false, nullptr);
  context.select_flagged(items, letters, items, count, 3, less, 200u);
  context.select_flagged(items, letters, items, count, 3, less, in_memory(&limit));
}
void by_key(Context& context, const int* keys, int* unique, const float* values, double* sums, std::uint64_t* count) {
  context.reduce_by_key(keys, values, unique, sums, count, 3);
  context.reduce_by_key(keys, values, unique, sums, count, 3, maximum, nullptr);
}
static_assert(UPSWEEP_VERSION_MAJOR >= 0 && sizeof(UPSWEEP_VERSION) > 5);
