#include "tuner/network_run.hpp"

#include <algorithm>
#include <compare>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/networks.hpp"
#include "runtime/host/host_compiler.hpp"
#include "runtime/host/host_device.hpp"

namespace upsweep::tuner {
namespace {

// As the source of generator/networks.cpp has them.
struct Recorder;

struct Recorded {
  Recorder* recorder = nullptr;
  std::uint32_t value = 0;
};

struct Arguments {
  const Recorded* in;
  Recorded* out;
  std::uint64_t n;
};

// What is known of a value: the inputs from `first` to `last` in their order, and where it was made.
struct Made {
  int first = 0;
  int last = 0;
  int place = 0;
  std::uint64_t depth = 0;
  int row = -1;
};

struct Call {
  runtime::HostMoment moment;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::internal, fmt::format("a scan network {}: please report this", what));
}

// The calls in the order in which they are made. Values have numbers: first the inputs, then the result of each call.
struct Recorder {
  std::uint32_t (*call)(Recorder* recorder, std::uint32_t left, std::uint32_t right) = &Recorder::append;
  std::uint32_t inputs = 0;
  std::vector<Call> calls;

  explicit Recorder(std::uint32_t n) : inputs(n) {}

  static std::uint32_t append(Recorder* recorder, std::uint32_t left, std::uint32_t right) {
    const auto next = recorder->inputs + static_cast<std::uint32_t>(recorder->calls.size());
    if (left >= next || right >= next) fail("applies its operator to what is no value");
    recorder->calls.push_back({runtime::host_moment(), left, right});
    return next;
  }
};

// Where a drawing has the result.
int place_of(const ScanNetwork& network, int places, const Call& call, const Made& left, const Made& right) {
  if (network.result == ResultPlace::thread) return static_cast<int>(call.moment.thread);
  const int items = right.last - right.first + 1;
  // Blelloch's downsweep: the prefix of a node and the total of its left half give the prefix of the right half, which
  // may end behind the last place.
  const bool is_prefix = network.result == ResultPlace::node && left.last - left.first + 1 > items;
  return is_prefix ? std::min(right.last + items, places - 1) : right.last;
}

// Puts the calls into steps and rows.
class Steps {
 public:
  Steps(const ScanNetwork& network, const Recorder& recorder)
      : network_(network),
        places_(static_cast<int>(recorder.inputs)),
        threads_(static_cast<std::size_t>(network.most()), -1) {
    for (std::uint32_t i = 0; i < recorder.inputs; ++i) {
      const int place = static_cast<int>(i);
      made_.push_back({.first = place, .last = place, .place = place});
    }
    for (const Call& call : recorder.calls) add(call);
  }

  [[nodiscard]] const Made& made(std::uint32_t value) const {
    if (value >= made_.size()) fail("gives a result that is no value");
    return made_[value];
  }

  // Leaves nothing behind.
  [[nodiscard]] NetworkRun take() {
    NetworkRun run{.name = std::string(network_.name), .places = places_, .steps = {}};
    std::stable_sort(order_.begin(), order_.end(), [](const Placed& a, const Placed& b) { return a.at < b.at; });
    int first_row = 0;
    for (std::size_t begin = 0; begin < order_.size();) {
      const auto same = [&](const Placed& other) { return other.at == order_[begin].at; };
      const auto end = static_cast<std::size_t>(
          std::find_if_not(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.end(), same) - order_.begin());
      run.steps.push_back(step({order_.data() + begin, end - begin}, first_row));
      for (const NetworkCall& call : run.steps.back()) run.rows = std::max(run.rows, call.row + 1);
      first_row = run.rows;
      begin = end;
    }
    return run;
  }

 private:
  using Moment = std::pair<std::uint32_t, std::uint32_t>;  // barriers, exchanges
  struct Placed {
    Moment at;
    Call call;
    std::uint32_t value = 0;  // the result
  };

  void add(const Call& call) {
    const Made &left = made_[call.left], &right = made_[call.right];
    if (left.last + 1 != right.first) fail("combines values that are not neighbours");
    order_.push_back({{call.moment.barriers, call.moment.exchanges}, call, static_cast<std::uint32_t>(made_.size())});
    made_.push_back({.first = left.first,
                     .last = right.last,
                     .place = place_of(network_, places_, call, left, right),
                     .depth = std::max(left.depth, right.depth) + 1});
  }

  // A call waits for its operands and for the thread's calls before.
  std::vector<NetworkCall> step(std::span<const Placed> calls, int first_row) {
    std::vector<NetworkCall> found;
    for (const auto& [at, call, value] : calls) {
      const Made &left = made_[call.left], &right = made_[call.right];
      int& thread_row = threads_[call.moment.thread];
      const int row = std::max({first_row, left.row + 1, right.row + 1, thread_row + 1});
      thread_row = made_[value].row = row;
      found.push_back({left.place, right.place, made_[value].place, row});
    }
    return found;
  }

  const ScanNetwork& network_;
  int places_;
  std::vector<Made> made_;
  std::vector<Placed> order_;
  std::vector<int> threads_;  // the row of each one's last call
};

// Place i of a warp has the inclusive prefix, and of a block the exclusive one; the first of these has the total.
void check_results(const Steps& steps, const std::vector<Recorded>& out, bool of_warp) {
  const int n = static_cast<int>(out.size());
  for (int i = 0; i < n; ++i) {
    const Made& result = steps.made(out[static_cast<std::size_t>(i)].value);
    const int last = of_warp ? i : i == 0 ? n - 1 : i - 1;
    if (result.first != 0 || result.last != last) fail(fmt::format("gives a wrong result at place {}", i));
  }
}

}  // namespace

NetworkRun record_network(std::string_view name, int n) {
  const ScanNetwork& network = find_network(name);
  const Source source = network_source(network, n);
  const auto places = static_cast<std::uint32_t>(n);
  Recorder recorder(places);
  std::vector<Recorded> in, out(places, {&recorder, ~std::uint32_t{0}});
  for (std::uint32_t i = 0; i < places; ++i) in.push_back({&recorder, i});

  runtime::HostDevice device;
  const runtime::Compiled compiled = runtime::HostCompiler().compile(source, "host");
  const std::unique_ptr<runtime::Kernel> kernel = device.load(compiled.binary, source.entry, source.launch);
  Arguments arguments{in.data(), out.data(), places};
  void* pointer = &arguments;
  device.launch(*kernel, {.blocks = 1, .threads_per_block = source.launch.threads_per_block}, &pointer, nullptr);

  Steps steps(network, recorder);
  check_results(steps, out, is_of_warp(network, n));
  NetworkRun run = steps.take();
  run.size = recorder.calls.size();
  for (const Recorded& result : out) run.depth = std::max(run.depth, steps.made(result.value).depth);
  return run;
}

}  // namespace upsweep::tuner
