// Designated initialisers of every public struct: no warning in the user's code.
#include <chrono>

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
static_assert(UPSWEEP_VERSION_MAJOR >= 0 && sizeof(UPSWEEP_VERSION) > 5);
