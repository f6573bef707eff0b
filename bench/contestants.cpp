#include "bench/contestants.hpp"

#include "generator/algorithm.hpp"
#include "generator/space.hpp"

namespace upsweep::bench {
namespace {

using Call = tuner::Measurement::Call;

// The pointers that a problem's contestants are called with: off the slot's beginning by the offsets.
struct Offsets {
  std::uint64_t in_bytes = 0;
  std::uint64_t out_bytes = 0;
  [[nodiscard]] const void* in(const void* slot) const { return static_cast<const std::byte*>(slot) + in_bytes; }
  [[nodiscard]] void* out(void* slot) const { return static_cast<std::byte*>(slot) + out_bytes; }
};

Call run_plan(Plan plan, std::uint64_t n, Offsets offsets) {
  return [plan = std::move(plan), n, offsets](const void* in, void* out, Stream stream) {
    plan.run(offsets.in(in), offsets.out(out), n, stream);
  };
}

Call run_peer(runtime::Device& device, std::shared_ptr<const Peer> peer, const Problem& problem, std::size_t bytes,
              Offsets offsets) {
  const auto temporary = std::make_shared<const runtime::Buffer>(device, bytes);
  return [peer = std::move(peer), problem, temporary, offsets](const void* in, void* out, Stream stream) {
    peer->run(problem, offsets.in(in), offsets.out(out), problem.size, temporary->data(), temporary->bytes(), stream);
  };
}

// The limits that the machine sets to a scan: copies of as many bytes as it moves, half of them read.
void add_copies(std::vector<Contestant>& all, runtime::Device& device, const PlainKernels* plain, std::uint64_t moved) {
  const std::uint64_t half = moved / 2;
  all.push_back({Who::memcpy, "memcpy", 2 * half, [&device, half](const void* in, void* out, Stream stream) {
                   device.copy_on_device(out, in, half, stream);
                 }});
  if (plain == nullptr) return;
  all.push_back({Who::plain_copy, "plain copy", 2 * half,
                 [plain, half](const void* in, void* out, Stream stream) { plain->copy(in, out, half, stream); }});
}

}  // namespace

std::vector<Contestant> contestants(runtime::Engine& engine, const Problem& problem, const Plan& chosen,
                                    const std::shared_ptr<const Peer>& peer, const PlainKernels* plain,
                                    const CompareOptions& options) {
  runtime::Device& device = engine.device();
  const Offsets offsets{options.offset_in * size_of(problem.input), options.offset_out * size_of(problem.output)};
  const bool reduces = !is_dense(problem);
  const std::uint64_t read = input_bytes(problem, problem.size);
  const std::uint64_t moved = read + output_bytes(problem, problem.size);

  std::vector<Contestant> all{{Who::upsweep, "upsweep", moved, run_plan(chosen, problem.size, offsets)}};
  const Config built_in = Space(problem, device.limits()).default_config();
  if (chosen.config() != built_in) {
    all.push_back({Who::upsweep_default, "upsweep default", moved,
                   run_plan(engine.plan(problem, built_in, nullptr), problem.size, offsets)});
  }
  if (const auto bytes = peer ? peer->temporary_bytes(problem, problem.size) : std::nullopt) {
    all.push_back({Who::peer, peer->name(), moved, run_peer(device, peer, problem, *bytes, offsets)});
  }
  if (!reduces) add_copies(all, device, plain, moved);
  if (plain == nullptr) return all;
  if (reduces) {
    all.push_back({Who::plain_read, "plain read", read,
                   [plain, read](const void* in, void* out, Stream stream) { plain->read(in, out, read, stream); }});
  }
  all.push_back(
      {Who::empty_kernel, "empty kernel", 0,
       [plain, n = problem.size](const void* in, void* out, Stream stream) { plain->empty(in, out, n, stream); }});
  return all;
}

}  // namespace upsweep::bench
