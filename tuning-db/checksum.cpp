#include "tuning-db/checksum.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tuning-db/device_members.hpp"
#include "tuning-db/trial_rows.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace upsweep::tuning_db {
namespace {

// With its length before it, so that no two lists of texts are the same bytes.
void add(std::string& bytes, std::string_view text) {
  bytes += fmt::format("{}:{}", text.size(), text);
}

void add(std::string& bytes, std::int64_t number) {
  bytes += fmt::format("{};", number);
}

}  // namespace

std::int64_t checksum_of(const Trial& trial) {
  std::string bytes;
  each_member(trial.device, [&](const char*, const auto& member) { add(bytes, member); });
  add(bytes, trial.clock_mhz);
  add(bytes, static_cast<std::int64_t>(trial.problem.size));
  const ProblemNames names = names_of(trial);
  for (const ProblemMember& member : problem_members()) {
    if (!member.optional) add(bytes, names.at(std::string(member.name)));
  }
  for (const std::string_view text :
       {std::string_view(trial.environment.driver), std::string_view(trial.environment.compiler),
        std::string_view(trial.environment.generator), name(trial.verdict), std::string_view(trial.failure),
        name(trial.stage), std::string_view(trial.binary), std::string_view(trial.session),
        std::string_view(trial.measured_at)}) {
    add(bytes, text);
  }
  add(bytes, to_json(trial.config));
  add(bytes, samples_to_json(trial.samples_us));
  // Behind all else, so that the checksums of problems without them stay what they were before there were any.
  for (const ProblemMember& member : problem_members()) {
    const auto at = names.find(member.name);
    if (!member.optional || at == names.end()) continue;
    add(bytes, member.name);
    add(bytes, at->second);
  }
  return static_cast<std::int64_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace upsweep::tuning_db
