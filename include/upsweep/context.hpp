// A context: one device, its compiled kernels, workspaces and tuning results. The library's front door.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <upsweep/device_info.hpp>
#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

struct ContextOptions {
  // "auto": the CUDA device that is current in this thread, else CUDA device 0, else the host device. "cuda", "cuda:1":
  // that device or an error. "host": the host device.
  std::string device = "auto";
  // Path of the tuning database; empty: $UPSWEEP_DB or the user's own. "none": shipped results only.
  std::string database;
  // A database file, or an export of one (JSON), that alone decides which configs are taken: neither the user's results
  // nor the shipped ones count, and nothing is recorded. Every process with the same file chooses the same on the same
  // device, whatever its driver and compiler are. Read once, when the context is made. Empty: $UPSWEEP_PINNED_DB, else
  // none.
  std::string pinned_database;
  // Notes which problems and sizes ran without a result of their own, in the tuning database (which is made if it is
  // missing), for `upsweep tune --wanted`. A note that cannot be written is dropped. UPSWEEP_RECORD=off switches it
  // off.
  bool record_wanted = true;
  // Only configs whose results are bit-identical from run to run.
  bool reproducible = false;
  // Calls may be started before the kernel before them in the stream has ended; each waits for it before it touches
  // memory. Results are the same without, and short kernels in a row take longer.
  bool dependent_launch = true;
};

// Thread-safe: any number of threads may call; one compiles where several need the same kernel. Calls return when the
// work is in the stream (on the host device: done). The calling thread's current CUDA context is left as it was found.
// The environment variable UPSWEEP_FORCE_CONFIG (JSON, or a path of a file with it) overrides every choice.
//
// A workspace is kept for each stream, and for each stream in each capture into a graph, until the context is gone:
// a context must outlive the graphs that were captured with it.
class Context {
 public:
  // Throws DeviceError if the device is not there, UsageError for a name that is none.
  explicit Context(const ContextOptions& options = {});

  // out[i] = op(in[0], ..., in[i]), accumulated in Out.
  template <typename In, typename Out>
  void inclusive_scan(const In* in, Out* out, std::uint64_t n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::inclusive_scan, in, out, n, op, nullptr, stream);
  }

  // out[i] = op(initial, in[0], ..., in[i-1]); without an initial value: the operator's identity.
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, std::uint64_t n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::exclusive_scan, in, out, n, op, nullptr, stream);
  }
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, std::uint64_t n, Operator op, const std::type_identity_t<Out>& initial,
                      Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::exclusive_scan, in, out, n, op, &initial, stream);
  }

  // out[0] = op(initial, in[0], ..., in[n-1]); without an initial value: the operator's identity.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, std::uint64_t n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::reduce, in, out, n, op, nullptr, stream);
  }
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, std::uint64_t n, Operator op, const std::type_identity_t<Out>& initial,
              Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::reduce, in, out, n, op, &initial, stream);
  }

  // Looks up the best known config for the problem and its size and compiles it. Plans are kept: asking again is cheap.
  // Throws UsageError (invalid problem), CompilerError, DatabaseError; DeviceError where it would have to compile while
  // `stream` is being captured: call it, or prepare(), before the capture begins.
  [[nodiscard]] Plan plan(const Problem& problem, Stream stream = nullptr);
  // With a config of the caller's. Throws UsageError if it is outside the problem's space on this device.
  [[nodiscard]] Plan plan(const Problem& problem, const Config& config, Stream stream = nullptr);
  // Compiles the kernel and allocates the workspace for calls of up to problem.size items on the stream.
  void prepare(const Problem& problem, Stream stream = nullptr);

  // Forgets the plans, so that results tuned since by this or another process are picked up.
  void refresh();

  [[nodiscard]] std::string device() const;  // "cuda:0" or "host"
  [[nodiscard]] const DeviceIdentity& device_identity() const;
  [[nodiscard]] const DeviceLimits& device_limits() const;
  [[nodiscard]] const std::shared_ptr<runtime::Engine>& engine() const noexcept { return engine_; }

 private:
  template <typename In, typename Out>
  void scan_or_reduce(Algorithm algorithm, const In* in, Out* out, std::uint64_t n, Operator op, const Out* initial,
                      Stream stream) {
    Problem problem = make_problem(algorithm, op, value_type<In>(), value_type<Out>(), n);
    run(problem, in, out, n, initial, stream);
  }
  void run(const Problem& problem, const void* in, void* out, std::uint64_t n, const void* initial, Stream stream);

  std::shared_ptr<runtime::Engine> engine_;
};

}  // namespace upsweep
