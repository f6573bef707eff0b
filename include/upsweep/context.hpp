/// @file
/// Context: one device with its compiled kernels, workspaces and tuning results. Most programs start here.
#pragma once

#include <upsweep/export.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include <upsweep/arguments.hpp>
#include <upsweep/call_types.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace upsweep::runtime {
class ContextEngine;
}

namespace UPSWEEP_API upsweep {

/// Options of a Context. The defaults suit most programs.
struct ContextOptions {
  /// Where kernels run:
  /// - "auto": the CUDA device that is current in the calling thread. If no device is current, CUDA device 0 is used.
  ///   If there is no GPU, the host device is used.
  /// - "cuda" or "cuda:1": that GPU. If it cannot be used, the constructor throws DeviceError.
  /// - "host": the host device, which runs the generated kernels on the CPU. It is meant for tests and is slow.
  std::string device = "auto";
  /// Path of the tuning database. If empty, $UPSWEEP_DB names the path. If that is not set either, the user's own
  /// database is used. With "none", only the results that are shipped with the library are used.
  std::string database{};
  /// Path of a tuning database, or of a JSON export of one, that alone decides which configs are used. The user's
  /// database and the shipped results are ignored, and nothing is recorded. Every process that names the same file
  /// chooses the same configs on the same kind of device, with any driver and compiler. The file is read once, when the
  /// context is made. If empty, $UPSWEEP_PINNED_DB names the path. If that is not set either, no database is pinned.
  std::string pinned_database{};
  /// Whether the context records, in the tuning database, which problems and sizes ran without a winner of their own.
  /// `upsweep tune --wanted` tunes these problems. The database is created if it does not exist. A failure to record is
  /// ignored. UPSWEEP_RECORD=off switches recording off.
  bool record_wanted = true;
  /// Whether to use only configs whose results are bit-identical from run to run (see the page "Determinism").
  bool reproducible = false;
  /// Whether a kernel may be launched before the previous kernel in the stream has ended (programmatic dependent
  /// launch). Each kernel waits for the previous one before it touches memory, so results do not depend on this option.
  /// Without it, a sequence of short kernels takes longer.
  bool dependent_launch = true;
};

/// A device with its compiled kernels, workspaces and tuning results.
///
/// **Calls.** A call finds or makes the plan of its problem and launches it. Calls are asynchronous: they return when
/// the kernel is in the stream. On the host device they return when the result is available. The first call of a
/// problem compiles its kernel, unless the kernel is in the cache on disk. The environment variable
/// UPSWEEP_FORCE_CONFIG (a config such as "lookback, load=direct", a config as JSON, or the path of a file with one)
/// overrides the choice of config for every call. If that config is partial, it is completed for each problem, as by
/// plan().
///
/// **Threads.** A context is thread-safe. If several threads need the same kernel, one of them compiles it and the
/// others wait. The CUDA context that is current in the calling thread is the same after the call as before.
///
/// **Address checks.** A null or misaligned address, arrays that overlap, or memory that the device cannot access, is a
/// UsageError. Every call checks for null. The first call of each plan checks for the rest; with UPSWEEP_CHECK=1, every
/// call does. On the host device, accessibility is not checked.
///
/// **Workspaces.** The context owns the temporary device memory of its calls: 16 KB for each stream that it was called
/// with, more for large n. It keeps this memory until release() or the end of the context. Captured calls have memory
/// of their own, which lives until their graph and all executables of the graph are destroyed. A context must outlive
/// the graphs that were captured with it.
///
/// **Graphs.** Calls that are captured into one graph may be on parallel branches, and executables of different graphs
/// may run at the same time. The same captured call must not run twice at the same time, because both runs would use
/// one workspace. So do not run two executables of one graph (or of clones of it) at the same time, and do not use one
/// child graph on two parallel branches. Otherwise results can be wrong, the launch can fail and the CUDA context can
/// be lost, or a call with the schedule all_aggregates or last_started may not end. Memory that does not belong to the
/// call is never written. Instead, capture once for each executable, with the context's workspaces or with a workspace
/// of your own (Plan::borrow_workspace()).
///
/// **Fork.** If a process is forked while its threads compute or hold contexts, do not compute in the child. Locks that
/// other threads held are never released in the child, and CUDA does not survive a fork. Make contexts after the fork,
/// or fork and exec. The processes that the library itself starts, such as compilers, are started safely.
class Context {
 public:
  /// Opens a device. If "auto" finds no GPU, or a driver that does not work, it uses the host device and prints one
  /// warning per process (set_log_sink()). "host" uses it without a warning.
  /// @throws DeviceError if the device does not exist or cannot be used.
  /// @throws UsageError for an unknown device name or an invalid environment variable.
  /// @throws DatabaseError if the pinned database cannot be read.
  explicit Context(const ContextOptions& options = {});

  /// Inclusive scan: out[i] = op(in[0], ..., in[i]) for i = 0, ..., n-1.
  ///
  /// Every application of the operator is computed in the type Out. `in` and `out` may be the same memory if In and Out
  /// have the same size; they must not overlap in any other way.
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param out device memory with room for n items, aligned to the size of an item.
  /// @param n number of items; 0 is allowed and does nothing.
  /// @param op the operator; it must accept the type Out (see validate()).
  /// @param stream the stream to run in; nullptr is the legacy default stream.
  /// @throws UsageError for an invalid combination of types and operator, or for invalid addresses.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the launch fails, or if the kernel would have to be compiled while the stream is being
  /// captured (call prepare() before the capture).
  template <typename In, typename Out>
  void inclusive_scan(const In* in, Out* out, std::uint64_t n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::inclusive_scan, in, out, n, op, nullptr, stream);
  }

  /// Exclusive scan that starts from the identity of the operator: out[0] = identity, out[i] = op(in[0], ..., in[i-1]).
  /// Parameters and errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, std::uint64_t n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::exclusive_scan, in, out, n, op, nullptr, stream);
  }
  /// Exclusive scan with an initial value: out[0] = initial, out[i] = op(initial, in[0], ..., in[i-1]).
  /// `initial` is a value on the host. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, std::uint64_t n, Operator op, const std::type_identity_t<Out>& initial,
                      Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::exclusive_scan, in, out, n, op, &initial, stream);
  }

  /// Exclusive scan with an initial value in device memory: `in_memory(address)`. The kernel reads the value when it
  /// runs, after all earlier work in the stream; the address must not lie within `out`. Such calls have a kernel of
  /// their own: to capture one, call prepare() with Arguments before the capture. The other parameters and the
  /// errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, std::uint64_t n, Operator op, InMemory<std::type_identity_t<Out>> initial,
                      Stream stream = nullptr) {
    run_from_memory(make_problem(Algorithm::exclusive_scan, op, value_type<In>(), value_type<Out>(), n), in, out, n,
                    initial.address, stream);
  }

  /// Reduction that starts from the identity of the operator: out[0] = op(in[0], ..., in[n-1]). `out` has room for one
  /// item. With n = 0 the result is the identity. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, std::uint64_t n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::reduce, in, out, n, op, nullptr, stream);
  }
  /// Reduction with an initial value: out[0] = op(initial, in[0], ..., in[n-1]). `initial` is a value on the host. With
  /// n = 0 the result is `initial`. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, std::uint64_t n, Operator op, const std::type_identity_t<Out>& initial,
              Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::reduce, in, out, n, op, &initial, stream);
  }

  /// Reduction with an initial value in device memory: `in_memory(address)`. The address may be `out`, whose value is
  /// then replaced by the result. Otherwise as exclusive_scan() with an initial value in device memory.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, std::uint64_t n, Operator op, InMemory<std::type_identity_t<Out>> initial,
              Stream stream = nullptr) {
    run_from_memory(make_problem(Algorithm::reduce, op, value_type<In>(), value_type<Out>(), n), in, out, n,
                    initial.address, stream);
  }

  /// Selection by the items themselves: copies the items for which predicate(in[i], threshold) holds to the beginning
  /// of `out`, in their order, and writes their number to `count`. `select_if(in, out, count, n, upsweep::less, 5)`
  /// keeps the items that are less than 5.
  ///
  /// Only the items that are kept are written; what lies behind them in `out` stays as it was. `in` and `out` may be
  /// the same memory; no two arrays may overlap in any other way.
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param out device memory with room for n items of the same type, aligned to the size of an item.
  /// @param count device memory for one std::uint32_t or std::uint64_t: the number of items that are kept. The call
  /// does not wait for it.
  /// @param n number of items; with 0 the call writes a count of 0. A count of 32 bits takes fewer than 2^32 items.
  /// @param predicate less, less_equal, greater, greater_equal, equal_to or not_equal_to. Complex items take the last
  /// two only.
  /// @param threshold a value on the host, which is converted to the type of the items.
  /// @param stream the stream to run in; nullptr is the legacy default stream.
  /// @throws UsageError for an operator that is not a predicate on the items, for a threshold outside the range of
  /// the items' integer type, for invalid addresses, or for too many items for the count.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the launch fails, or if the kernel would have to be compiled while the stream is being
  /// captured (call prepare() before the capture).
  template <typename In, typename Out, typename Count, typename Threshold>
  void select_if(const In* in, Out* out, Count* count, std::uint64_t n, Operator predicate, const Threshold& threshold,
                 Stream stream = nullptr) {
    const In value = threshold_of<In>(threshold, value_type<In>());
    const Problem problem = selection<In, Out, Count>(Algorithm::select_if, predicate, n);
    const void* const arrays[] = {in, out, count};
    run_compact(problem, arrays, 1, n, &value, stream);
  }
  /// Selection whose threshold is in device memory: `in_memory(address)`, of the type of the items. The kernel reads
  /// the value when it runs, after all earlier work in the stream; the address must not lie within `out`. Such calls
  /// have a kernel of their own: to capture one, call prepare() with Arguments before the capture. The other parameters
  /// and the errors are those of select_if() above.
  template <typename In, typename Out, typename Count>
  void select_if(const In* in, Out* out, Count* count, std::uint64_t n, Operator predicate, InMemory<In> threshold,
                 Stream stream = nullptr) {
    const Problem problem = selection<In, Out, Count>(Algorithm::select_if, predicate, n);
    const void* const arrays[] = {in, out, count};
    run_compact_from_memory(problem, arrays, 1, n, threshold.address, stream);
  }

  /// Selection by flags: copies the items whose flag is not 0 to the beginning of `out`, in their order, and writes
  /// their number to `count`.
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param flags device memory with n flags of any type of items, or bool or char.
  /// @param out,count,n,stream as in select_if(). `in` and `out` may be the same memory.
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Flag, typename Out, typename Count>
  void select_flagged(const In* in, const Flag* flags, Out* out, Count* count, std::uint64_t n,
                      Stream stream = nullptr) {
    constexpr Scalar zero{};  // of any type
    const Problem problem = flagged<In, Flag, Out, Count>(not_equal_to, n);
    const void* const arrays[] = {in, flags, out, count};
    run_compact(problem, arrays, 2, n, zero.bytes.data(), stream);
  }
  /// Selection by flags for which predicate(flags[i], threshold) holds.
  /// `select_flagged(in, times, out, count, n, upsweep::less, 5)` keeps the items whose time is less than 5.
  /// @param in,flags,out,count,n,stream as above.
  /// @param predicate as in select_if(), on flags.
  /// @param threshold a value on the host, which is converted to the type of the flags.
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Flag, typename Out, typename Count, typename Threshold>
  void select_flagged(const In* in, const Flag* flags, Out* out, Count* count, std::uint64_t n, Operator predicate,
                      const Threshold& threshold, Stream stream = nullptr) {
    const Flag value = threshold_of<Flag>(threshold, call_types::flag_type<Flag>());
    const Problem problem = flagged<In, Flag, Out, Count>(predicate, n);
    const void* const arrays[] = {in, flags, out, count};
    run_compact(problem, arrays, 2, n, &value, stream);
  }
  /// Selection by flags with a threshold in device memory: `in_memory(address)`, of the type of the flags. Otherwise as
  /// select_if() with a threshold in device memory.
  template <typename In, typename Flag, typename Out, typename Count>
  void select_flagged(const In* in, const Flag* flags, Out* out, Count* count, std::uint64_t n, Operator predicate,
                      InMemory<Flag> threshold, Stream stream = nullptr) {
    const Problem problem = flagged<In, Flag, Out, Count>(predicate, n);
    const void* const arrays[] = {in, flags, out, count};
    run_compact_from_memory(problem, arrays, 2, n, threshold.address, stream);
  }

  /// Reduction by key: of each run of equal neighbouring keys, writes the key to `unique_keys` and
  /// op(values of the run), in their order, to `aggregates`; writes the number of runs to `count`. Keys that are equal
  /// but not neighbours are runs of their own: sort by key first to have one result for each key.
  ///
  /// Every application of the operator is computed in the type Out. Only one item for each run is written. `keys` and
  /// `unique_keys` may be the same memory, and so may `values` and `aggregates` if In and Out have the same size; no
  /// two arrays may overlap in any other way.
  /// @param keys device memory with n keys, aligned to the size of a key. Keys are numbers of any type that is not
  /// complex. They are equal if == says so: each NaN is a run of its own, and -0 equals +0.
  /// @param values device memory with n items, aligned to the size of an item.
  /// @param unique_keys device memory with room for n keys of the same type.
  /// @param aggregates device memory with room for n items, aligned to the size of an item.
  /// @param count device memory for one std::uint64_t: the number of runs. The call does not wait for it.
  /// @param n number of items; with 0 the call writes a count of 0.
  /// @param op the operator; it must accept the type Out (see validate()). It need not have an identity.
  /// @param stream the stream to run in; nullptr is the legacy default stream.
  /// @throws UsageError for an invalid combination of types and operator, or for invalid addresses.
  /// @throws CompilerError and DeviceError as select_if().
  template <typename Key, typename In, typename UniqueKey, typename Out, typename Count>
  void reduce_by_key(const Key* keys, const In* values, UniqueKey* unique_keys, Out* aggregates, Count* count,
                     std::uint64_t n, Operator op = plus, Stream stream = nullptr) {
    call_types::check_copied<Key, UniqueKey>();
    static_assert(!std::is_const_v<Out>, "upsweep: aggregates are written, so pass a pointer that is not const");
    static_assert(call_types::count_type<Count>() == Type::u64,
                  "upsweep: the number of runs has 64 bits: count is a pointer to std::uint64_t");
    Problem problem = make_problem(Algorithm::reduce_by_key, op, value_type<In>(), value_type<Out>(), n);
    problem.key = value_type<Key>();
    const void* const arrays[] = {keys, values, unique_keys, aggregates, count};
    run_compact(problem, arrays, 2, n, nullptr, stream);
  }

  /// Finds the best known config for the problem and its size, and compiles the kernel. The context keeps its plans, so
  /// asking for the same problem and side of a size class again is cheap. The plan is the best known one for arrays
  /// that begin at multiples of 16 bytes. Calls of the context with other arrays may use another plan, because the
  /// context sees their addresses.
  ///
  /// If the tuning database cannot be used (locked, damaged, or owned by another user), the context prints one warning
  /// (set_log_sink()) and uses the shipped results and the defaults. Plans made in that state are kept until
  /// refresh().
  /// @param problem what to compute; problem.size chooses the config, and the plan runs any number of items.
  /// @param stream the stream that is checked for an ongoing capture.
  /// @throws UsageError for an invalid problem.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the kernel would have to be compiled while `stream` is being captured: call plan() or
  /// prepare() before the capture.
  [[nodiscard]] Plan plan(const Problem& problem, Stream stream = nullptr);
  /// Makes a plan with a config of the caller. Such plans are not kept by the context.
  /// @param problem what to compute.
  /// @param config may be partial. ConfigSpace::resolve() completes it, and Plan::config() returns the complete config.
  /// @param stream the stream that is checked for an ongoing capture.
  /// @throws UsageError if the config is not valid for this problem on this device; otherwise as plan() above.
  [[nodiscard]] Plan plan(const Problem& problem, const Config& config, Stream stream = nullptr);
  /// Compiles the kernels and allocates the workspaces for calls of up to problem.size items in the stream, also for
  /// arrays that do not begin at multiples of 16 bytes. After that, calls with problem.size items neither compile nor
  /// allocate, so they can be captured, unless their initial value or threshold is in device memory. Of captured calls
  /// this holds for the first one of the next capture; the memory then belongs to the graph (Plan::prepare()). The
  /// problem is that of the calls: the accumulator type of a selection is the type of its count, and Problem::key is
  /// the type of flags (u8 for bool) or keys. Errors are those of plan().
  void prepare(const Problem& problem, Stream stream = nullptr);
  /// The same for calls with such arguments: also compiles the kernels that read an initial value or a threshold from
  /// device memory, if `arguments` has one there. Addresses are not used and may be null.
  void prepare(const Problem& problem, const Arguments& arguments, Stream stream = nullptr);

  /// Makes the workspaces of a stream available to other streams, for programs that make and destroy many streams. Call
  /// this function when the work in the stream has ended and before the stream is destroyed, while no other thread uses
  /// the stream.
  /// @throws UsageError while the stream is being captured.
  void release(Stream stream);

  /// Forgets the plans, so that the next calls use the results that this or another process has tuned since.
  void refresh();

  /// Name of the device: "cuda:0" or "host".
  [[nodiscard]] std::string device() const;
  /// The identity of the device in the tuning database. The reference is valid while the context lives.
  [[nodiscard]] const DeviceIdentity& device_identity() const;
  /// Limits of the device, which decide what configs are valid. The reference is valid while the context lives.
  [[nodiscard]] const DeviceLimits& device_limits() const;

 private:
  friend class runtime::ContextEngine;

  template <typename In, typename Out>
  void scan_or_reduce(Algorithm algorithm, const In* in, Out* out, std::uint64_t n, Operator op, const Out* initial,
                      Stream stream) {
    Problem problem = make_problem(algorithm, op, value_type<In>(), value_type<Out>(), n);
    run(problem, in, out, n, initial, stream);
  }
  void run(const Problem& problem, const void* in, void* out, std::uint64_t n, const void* initial, Stream stream);
  void run_from_memory(const Problem& problem, const void* in, void* out, std::uint64_t n, const void* initial,
                       Stream stream);

  // Selections and reductions by key. The arrays are in the order of ports(problem); that many of them, from the first
  // on, are read. threshold: of selections, where on the host the value is.
  void run_compact(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs, std::uint64_t n,
                   const void* threshold, Stream stream);
  // The same with the threshold at this device address.
  void run_compact_from_memory(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs,
                               std::uint64_t n, const void* threshold, Stream stream);

  template <typename In, typename Out, typename Count>
  static Problem selection(Algorithm algorithm, Operator predicate, std::uint64_t n) {
    call_types::check_copied<In, Out>();
    constexpr Type count = call_types::count_type<Count>();
    return make_problem(algorithm, predicate, value_type<In>(), count, n);
  }
  template <typename In, typename Flag, typename Out, typename Count>
  static Problem flagged(Operator predicate, std::uint64_t n) {
    Problem problem = selection<In, Out, Count>(Algorithm::select_flagged, predicate, n);
    problem.key = call_types::flag_type<Flag>();
    return problem;
  }
  template <typename T, typename Given>
  static T threshold_of(const Given& given, Type type) {
    call_types::check_threshold<T, Given>();
    if (!call_types::has_value<T>(given)) refuse_threshold(type);
    return static_cast<T>(given);
  }
  [[noreturn]] static void refuse_threshold(Type type);

  std::shared_ptr<runtime::Engine> engine_;
};

}  // namespace upsweep
