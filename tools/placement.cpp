// What the time of one config depends on besides the config: where its workspace, its code and its data lie.
//   placement ALGORITHM OP TYPE ITEMS CONFIG.json...        what a config leaves out gets defaults
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <list>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/upsweep.hpp>

#include "base/median.hpp"
#include "generator/space.hpp"
#include "runtime/engine.hpp"
#include "tuner/measure/candidate.hpp"
#include "tuner/measure/measurement.hpp"
#include "tuner/verify/data.hpp"
#include "tuner/verify/port_call.hpp"

namespace upsweep {
namespace {

constexpr int places = 16;
constexpr int samples = 5;

struct Setting {
  Problem problem;
  Config config;
  runtime::Engine::Parts parts;
};

class Places {
 public:
  explicit Places(Setting setting)
      : setting_(std::move(setting)),
        device_(*setting_.parts.device),
        scalars_(tuner::make_timed_scalars(setting_.problem, 1)),
        data_(tuner::make_call_data(setting_.problem, std::min<std::uint64_t>(setting_.problem.size, 1 << 20), 1)),
        plan_(load()),
        bytes_(plan_.workspace_bytes(setting_.problem.size)),
        places_(device_, places, bytes_),
        measurement_(allocate()) {}

  void report() {
    const auto one = [&](const Plan& plan, int place, tuner::Measurement& measurement) {
      const BorrowedWorkspace own = workspace(place);
      const auto call = [&](const tuner::SlotArrays& arrays, runtime::Stream stream) {
        runtime::run(plan.state(), tuner::call_of(setting_.problem, arrays, setting_.problem.size, scalars_), stream,
                     &own);
      };
      return base::median(measurement.time(call, {.samples = samples, .launches = 1}));
    };
    const auto all = [&](const char* what, auto&& time) {
      std::vector<double> us;
      for (int i = 0; i < places; ++i) us.push_back(time(i));
      std::vector<double> sorted = us;
      std::sort(sorted.begin(), sorted.end());
      fmt::print("  {:<22} {:.3f} to {:.3f} us, {:.1f}% apart: {:.3f}\n", what, sorted.front(), sorted.back(),
                 100 * (sorted.back() / sorted.front() - 1), fmt::join(us, " "));
      std::fflush(stdout);
    };
    all("nothing moved", [&](int) { return one(plan_, 0, *measurement_); });
    all("workspace elsewhere", [&](int i) { return one(plan_, i, *measurement_); });
    all("code elsewhere", [&](int) { return one(load(), 0, *measurement_); });
    all("data elsewhere", [&](int) { return one(plan_, 0, *allocate()); });
    all("nothing moved", [&](int) { return one(plan_, 0, *measurement_); });
  }

 private:
  // What is replaced stays, or else the next would lie in its place.
  Plan load() {
    engines_.emplace_back(setting_.parts);
    return engines_.back().plan(setting_.problem, setting_.config, nullptr);
  }

  tuner::Measurement* allocate() {
    return &measurements_.emplace_back(device_, nullptr,
                                       tuner::timed_arrays(setting_.problem, setting_.problem.size, {}, data_.inputs));
  }

  BorrowedWorkspace workspace(int place) {
    return plan_.borrow_workspace(places_.at(0, static_cast<std::size_t>(place)), bytes_, nullptr);
  }

  Setting setting_;
  runtime::Device& device_;
  std::vector<Scalar> scalars_;
  tuner::CallData data_;
  std::list<runtime::Engine> engines_;
  std::list<tuner::Measurement> measurements_;
  Plan plan_;
  std::uint64_t bytes_;
  tuner::WorkspacePlaces places_;
  tuner::Measurement* measurement_;
};

Config read_config(const char* path) {
  std::ifstream file(path);
  if (!file) throw UsageError(fmt::format("cannot read '{}': name a file that holds a config as JSON", path));
  return config_from_json(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::uint64_t read_items(std::string_view text) {
  std::uint64_t items = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), items);
  if (error != std::errc() || end != text.data() + text.size() || items == 0) {
    throw UsageError(fmt::format("'{}' is not a number of items: write it in digits, for example 16777216", text));
  }
  return items;
}

int run(int count, char** arguments) {
  if (count < 6) throw UsageError("usage: placement ALGORITHM OP TYPE ITEMS CONFIG.json...");
  const Type type = parse_type(arguments[3]);
  const Problem problem =
      make_problem(parse_algorithm(arguments[1]), parse_operator(arguments[2]), type, type, read_items(arguments[4]));
  const runtime::Engine::Parts parts = runtime::Engine::parts({.database = "none"});
  for (int i = 5; i < count; ++i) {
    const Space space(problem, parts.device->limits());
    const Config config = space.complete_around(read_config(arguments[i]));
    space.validate(config);
    fmt::print("{} on {}, {}\n", to_string(problem), parts.device->identity().name, to_json(config));
    Places({problem, config, parts}).report();
  }
  return 0;
}

}  // namespace
}  // namespace upsweep

int main(int count, char** arguments) {
  try {
    return upsweep::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "placement: %s\n", error.what());
    return 1;
  }
}
