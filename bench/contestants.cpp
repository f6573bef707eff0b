#include "bench/contestants.hpp"

#include <algorithm>

#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/space.hpp"
#include "tuner/verify/data.hpp"

namespace upsweep::bench {
namespace {

using Call = tuner::TimedCall;
using tuner::SlotArrays;

// The first array that is read and the first that is written.
struct InAndOut {
  std::size_t in = 0;
  std::size_t out = 0;
  explicit InAndOut(const Problem& problem) {
    const std::vector<Port> all = ports(problem);
    const auto first = [&](Direction direction) {
      const auto at =
          std::find_if(all.begin(), all.end(), [&](const Port& port) { return port.direction == direction; });
      return static_cast<std::size_t>(at - all.begin());
    };
    in = first(Direction::in);
    out = first(Direction::out);
  }
  [[nodiscard]] const void* input(const SlotArrays& arrays) const { return arrays[in]; }
  [[nodiscard]] void* output(const SlotArrays& arrays) const { return const_cast<void*>(arrays[out]); }
};

// What timed calls are given. A plan and the peer are given the same.
class ValuesOfSlot {
 public:
  ValuesOfSlot(const Problem& problem, const CompareOptions& options)
      : problem_(problem),
        shifts_(tuner::shifts_of(problem, options.offset_in, options.offset_out)),
        scalars_(tuner::make_timed_scalars(problem, 1)) {}
  // The values refer to this object.
  [[nodiscard]] runtime::CallValues operator()(const SlotArrays& slot) const {
    return tuner::call_of(problem_, tuner::shifted(slot, shifts_), problem_.size, scalars_);
  }

 private:
  Problem problem_;
  tuner::Shifts shifts_;
  std::vector<Scalar> scalars_;
};

Call run_peer(runtime::Device& device, std::shared_ptr<const Peer> peer, const Problem& problem, std::size_t bytes,
              const CompareOptions& options) {
  const auto temporary = std::make_shared<const runtime::Buffer>(device, bytes);
  return [peer = std::move(peer), problem, temporary, values = ValuesOfSlot(problem, options)](const SlotArrays& slot,
                                                                                               Stream stream) {
    peer->run(problem, values(slot), temporary->data(), temporary->bytes(), stream);
  };
}

// The limits that the machine sets to a scan: copies of as many bytes as it moves, half of them read.
void add_copies(std::vector<Contestant>& all, runtime::Device& device, const PlainKernels* plain, std::uint64_t moved,
                const InAndOut& call) {
  const std::uint64_t half = moved / 2;
  all.push_back({Who::memcpy, "memcpy", 2 * half, [&device, half, call](const SlotArrays& arrays, Stream stream) {
                   device.copy_on_device(call.output(arrays), call.input(arrays), half, stream);
                 }});
  if (plain == nullptr) return;
  all.push_back({Who::plain_copy, "plain copy", 2 * half, [plain, half, call](const SlotArrays& arrays, Stream stream) {
                   plain->copy(call.input(arrays), call.output(arrays), half, stream);
                 }});
}

}  // namespace

Call run_plan(Plan plan, const Problem& problem, const CompareOptions& options) {
  return [plan = std::move(plan), values = ValuesOfSlot(problem, options)](const SlotArrays& slot, Stream stream) {
    runtime::run(plan.state(), values(slot), stream, nullptr);
  };
}

std::vector<Contestant> contestants(runtime::Engine& engine, const Problem& problem, const Plan& chosen,
                                    std::uint64_t written, const std::shared_ptr<const Peer>& peer,
                                    const PlainKernels* plain, const CompareOptions& options) {
  runtime::Device& device = engine.device();
  const InAndOut call(problem);
  const bool reduces = entry_of(problem).emission == Emission::at_end;
  const std::uint64_t read = input_bytes(problem, problem.size);
  const std::uint64_t moved = read + written;

  std::vector<Contestant> all{{Who::upsweep, "upsweep", moved, run_plan(chosen, problem, options), chosen.config()}};
  const Config built_in = Space(problem, device.limits()).default_config();
  if (chosen.config() != built_in) {
    all.push_back({Who::upsweep_default, "upsweep default", moved,
                   run_plan(engine.plan(problem, built_in, nullptr), problem, options), built_in});
  }
  if (const auto bytes = peer ? peer->temporary_bytes(problem, problem.size) : std::nullopt) {
    all.push_back({Who::peer, peer->name(), moved, run_peer(device, peer, problem, *bytes, options)});
  }
  if (!reduces) add_copies(all, device, plain, moved, call);
  if (plain == nullptr) return all;
  if (reduces) {
    all.push_back({Who::plain_read, "plain read", read, [plain, read, call](const SlotArrays& arrays, Stream stream) {
                     plain->read(call.input(arrays), call.output(arrays), read, stream);
                   }});
  }
  all.push_back(
      {Who::empty_kernel, "empty kernel", 0, [plain, n = problem.size, call](const SlotArrays& arrays, Stream stream) {
         plain->empty(call.input(arrays), call.output(arrays), n, stream);
       }});
  return all;
}

std::vector<std::optional<std::size_t>> add_rungs(std::vector<Contestant>& all, runtime::Engine& engine,
                                                  const Problem& problem, std::span<const tuning_db::RungChoice> rungs,
                                                  const CompareOptions& options) {
  const std::uint64_t moved = all.front().bytes;
  std::vector<std::optional<std::size_t>> found;
  for (const tuning_db::RungChoice& rung : rungs) {
    if (!rung.config) {
      found.emplace_back();
      continue;
    }
    const auto at = std::ranges::find(all, rung.config, &Contestant::config);
    found.emplace_back(static_cast<std::size_t>(at - all.begin()));
    if (at != all.end()) continue;
    all.push_back({Who::upsweep, std::string(tuning_db::name(rung.rung)), moved,
                   run_plan(engine.plan(problem, *rung.config, nullptr), problem, options), rung.config});
  }
  return found;
}

std::vector<AddedConfig> add_configs(std::vector<Contestant>& all, runtime::Engine& engine, const Problem& problem,
                                     const CompareOptions& options) {
  const std::uint64_t moved = all.front().bytes;
  std::vector<AddedConfig> added;
  for (const NamedConfig& each : options.configs) {
    added.push_back({.cell = {.label = each.label, .config = each.config}});
    try {
      const Plan plan = engine.plan(problem, each.config, nullptr);
      all.push_back({Who::upsweep, each.label, moved, run_plan(plan, problem, options), plan.config()});
      added.back().cell.config = plan.config();
      added.back().contestant = all.size() - 1;
    } catch (const UsageError& error) {
      added.back().cell.why_not = error.what();
    } catch (const CompilerError& error) {
      added.back().cell.why_not = error.what();
    }
  }
  return added;
}

}  // namespace upsweep::bench
