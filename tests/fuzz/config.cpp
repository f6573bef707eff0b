// Configs. Input: a byte for the problem, one for its size, one for the device's limits, then the config's JSON.
#include <upsweep/config.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include <upsweep/source.hpp>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/space_points.hpp"

UPSWEEP_FUZZ_JSON(3)

namespace upsweep::fuzz {
namespace {

const std::vector<Problem>& problems() {
  static const auto* const all = new std::vector<Problem>([] {
    std::vector<Problem> some = built_in_problems();
    for (const Algorithm algorithm : test::scans_and_reduces) {
      some.push_back(make_problem(algorithm, Operator::affine, Type::u64, Type::u64));
      some.push_back(make_problem(algorithm, Operator::last_nonzero, Type::f16, Type::f16));
      some.push_back(make_problem(algorithm, Operator::plus, Type::i8, Type::i64));
      some.push_back({algorithm, Operator::plus, Type::u8, Type::f32, Type::c128});
    }
    return some;
  }());
  return *all;
}

DeviceLimits limits_of(std::size_t which) {
  constexpr std::array architectures{"sm_75", "sm_80", "sm_90", "sm_120"};
  return limits_of_architecture(architectures[which % architectures.size()]);
}

// The parameters as they are listed: what a config of the space has, and with which values.
bool is_listed(const Problem& problem, const Config& config) {
  const auto parameters = find_schedule(problem, config.schedule).parameters(problem);
  return parameters.size() == config.values.size() && std::ranges::all_of(parameters, [&](const Parameter& each) {
           const auto own = config.values.find(each.name);
           return own != config.values.end() && std::ranges::find(each.values, own->second) != each.values.end();
         });
}

void check_inside(const Space& space, const Config& config) {
  require(is_listed(space.problem(), config), "a config of the space has a value that is not listed");
  require(space.complete(config) == config && space.complete_around(config) == config, "a whole config is completed");
  (void)space.suits(config);
  (void)is_reproducible(space.problem(), config);
  const auto neighbours = test::neighbours(space, config);
  require(std::ranges::find(neighbours, config) == neighbours.end(), "a config is its own neighbour");
  for (const Target target : {Target::cuda, Target::host}) {
    for (const Source& source : generate_steps(space.problem(), config, target)) {
      require(source.launch.items_per_tile > 0 && source.key.size() == 32, "a source without a tile or a key");
    }
  }
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  fuzz::Input input(data, size);
  Problem problem = fuzz::problems()[input.below(fuzz::problems().size())];
  problem.size = std::uint64_t{1} << input.below(40);
  const Space space(problem, fuzz::limits_of(input.byte()));
  const auto config = fuzz::accepted<UsageError>([&] { return config_from_json(input.rest()); });
  if (!config) return 0;
  const std::string json = to_json(*config);
  if (config_from_json(json) != *config) fuzz::find("does not read back: ", json);
  const bool inside = space.contains(*config);
  const auto validated = fuzz::accepted<UsageError>([&] { return space.validate(*config), true; });
  fuzz::require(inside == validated.has_value(), "contains and validate do not agree");
  if (inside) {
    fuzz::check_inside(space, *config);
    return 0;
  }
  // A config that was written by hand and leaves things out.
  constexpr std::size_t few = 24;  // each costs a look at the whole space
  if (config->values.size() > few) return 0;
  const auto whole = fuzz::accepted<UsageError>([&] { return space.complete_around(*config); });
  if (whole && space.contains(*whole)) fuzz::check_inside(space, *whole);
  // `generate_steps` asks what any device can hold, and a limited one may hold less; what no space has, none generates.
  const auto steps = fuzz::accepted<UsageError>([&] { return generate_steps(problem, *config); });
  fuzz::require(!steps || fuzz::is_listed(problem, *config), "generated from outside the space");
  return 0;
}
