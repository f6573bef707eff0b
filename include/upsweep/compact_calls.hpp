/// @file
/// CompactCalls: the calls of a Context whose results are fewer than the items: selections, runs and reductions by key.
/// typed_calls.hpp includes this header.
#pragma once

#include <upsweep/export.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <upsweep/arguments.hpp>
#include <upsweep/call_types.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace upsweep::runtime {
class Engine;
}

namespace UPSWEEP_API upsweep {

/// Selections, runs and reductions by key with typed pointers. See Context for what holds of every call.
class CompactCalls {
 public:
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
  /// @param n number of items; with 0 the call writes a count of 0. A count of 32 bits takes fewer than 2^32 items. The
  /// number may lie in device memory, and `out` may have room for fewer items: see Items.
  /// @param predicate less, less_equal, greater, greater_equal, equal_to or not_equal_to. Complex items take the last
  /// two only.
  /// @param threshold a value on the host, which is converted to the type of the items.
  /// @param stream the stream to run in; nullptr is the device's default stream (Context::default_stream()).
  /// @throws UsageError for an operator that is not a predicate on the items, for a threshold outside the range of
  /// the items' integer type, for invalid addresses, or for too many items for the count.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the launch fails, or if the kernel would have to be compiled while the stream is being
  /// captured (call prepare() before the capture).
  template <typename In, typename Out, typename Count, typename Threshold>
  void select_if(const In* in, Out* out, Count* count, const Items& n, Operator predicate, const Threshold& threshold,
                 Stream stream = nullptr) {
    const In value = call_types::threshold_of<In>(threshold, value_type<In>());
    const Problem problem = call_types::selection<In, Out, Count>(Algorithm::select_if, predicate, n.most());
    const void* const arrays[] = {in, out, count};
    run_arrays(problem, arrays, 1, n, &value, stream);
  }
  /// Selection whose threshold is in device memory: `in_memory(address)`, of the type of the items. The kernel reads
  /// the value when it runs, after all earlier work in the stream; the address must not lie within `out`. Such calls
  /// have a kernel of their own: to capture one, call prepare() with Arguments before the capture. The other parameters
  /// and the errors are those of select_if() above.
  template <typename In, typename Out, typename Count>
  void select_if(const In* in, Out* out, Count* count, const Items& n, Operator predicate, InMemory<In> threshold,
                 Stream stream = nullptr) {
    const Problem problem = call_types::selection<In, Out, Count>(Algorithm::select_if, predicate, n.most());
    const void* const arrays[] = {in, out, count};
    run_arrays_from_memory(problem, arrays, 1, n, threshold.address, stream);
  }

  /// Selection by flags: copies the items whose flag is not 0 to the beginning of `out`, in their order, and writes
  /// their number to `count`.
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param flags device memory with n flags of any type of items, or bool or char.
  /// @param out,count,n,stream as in select_if(). `in` and `out` may be the same memory.
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Flag, typename Out, typename Count>
  void select_flagged(const In* in, const Flag* flags, Out* out, Count* count, const Items& n,
                      Stream stream = nullptr) {
    constexpr Scalar zero{};  // of any type
    const Problem problem = call_types::flagged<In, Flag, Out, Count>(not_equal_to, n.most());
    const void* const arrays[] = {in, flags, out, count};
    run_arrays(problem, arrays, 2, n, zero.bytes.data(), stream);
  }
  /// Selection by flags for which predicate(flags[i], threshold) holds.
  /// `select_flagged(in, times, out, count, n, upsweep::less, 5)` keeps the items whose time is less than 5.
  /// @param in,flags,out,count,n,stream as above.
  /// @param predicate as in select_if(), on flags.
  /// @param threshold a value on the host, which is converted to the type of the flags.
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Flag, typename Out, typename Count, typename Threshold>
  void select_flagged(const In* in, const Flag* flags, Out* out, Count* count, const Items& n, Operator predicate,
                      const Threshold& threshold, Stream stream = nullptr) {
    const Flag value = call_types::threshold_of<Flag>(threshold, call_types::flag_type<Flag>());
    const Problem problem = call_types::flagged<In, Flag, Out, Count>(predicate, n.most());
    const void* const arrays[] = {in, flags, out, count};
    run_arrays(problem, arrays, 2, n, &value, stream);
  }
  /// Selection by flags with a threshold in device memory: `in_memory(address)`, of the type of the flags. Otherwise as
  /// select_if() with a threshold in device memory.
  template <typename In, typename Flag, typename Out, typename Count>
  void select_flagged(const In* in, const Flag* flags, Out* out, Count* count, const Items& n, Operator predicate,
                      InMemory<Flag> threshold, Stream stream = nullptr) {
    const Problem problem = call_types::flagged<In, Flag, Out, Count>(predicate, n.most());
    const void* const arrays[] = {in, flags, out, count};
    run_arrays_from_memory(problem, arrays, 2, n, threshold.address, stream);
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
  /// @param n number of items, as in select_if(); with 0 the call writes a count of 0.
  /// @param op the operator; it must accept the type Out (see validate()). It need not have an identity.
  /// @param stream the stream to run in; nullptr is the device's default stream (Context::default_stream()).
  /// @throws UsageError for an invalid combination of types and operator, or for invalid addresses.
  /// @throws CompilerError and DeviceError as select_if().
  template <typename Key, typename In, typename UniqueKey, typename Out, typename Count>
  void reduce_by_key(const Key* keys, const In* values, UniqueKey* unique_keys, Out* aggregates, Count* count,
                     const Items& n, Operator op = plus, Stream stream = nullptr) {
    call_types::check_copied<Key, UniqueKey>();
    static_assert(!std::is_const_v<Out>, "upsweep: aggregates are written, so pass a pointer that is not const");
    static_assert(call_types::count_type<Count>() == Type::u64,
                  "upsweep: the number of runs has 64 bits: count is a pointer to std::uint64_t");
    Problem problem = make_problem(Algorithm::reduce_by_key, op, value_type<In>(), value_type<Out>(), n.most());
    problem.key = value_type<Key>();
    const void* const arrays[] = {keys, values, unique_keys, aggregates, count};
    run_arrays(problem, arrays, 2, n, nullptr, stream);
  }

  /// Indices of the items for which predicate(in[i], threshold) holds, ascending: writes them to the beginning of
  /// `indices`, and their number to `count`.
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param indices device memory with room for n numbers of type std::uint32_t or std::uint64_t. With 32 bits, n is
  /// less than 2^32.
  /// @param count,n,predicate,threshold,stream as in select_if().
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Index, typename Count, typename Threshold>
  void nonzero(const In* in, Index* indices, Count* count, const Items& n, Operator predicate,
               const Threshold& threshold, Stream stream = nullptr) {
    const In value = call_types::threshold_of<In>(threshold, value_type<In>());
    const void* const arrays[] = {in, indices, count};
    run_arrays(call_types::indices<In, Index, Count>(predicate, n.most()), arrays, 1, n, &value, stream);
  }
  /// Indices of the items that are not 0. Parameters and errors are those of nonzero() above.
  template <typename In, typename Index, typename Count>
  void nonzero(const In* in, Index* indices, Count* count, const Items& n, Stream stream = nullptr) {
    constexpr Scalar zero{};  // of any type
    const void* const arrays[] = {in, indices, count};
    run_arrays(call_types::indices<In, Index, Count>(not_equal_to, n.most()), arrays, 1, n, zero.bytes.data(), stream);
  }

  /// The first item of each run: copies it to `out`, and writes the number of runs to `count`. A run goes on as long as
  /// predicate(in[i - 1], in[i]) holds. With equal_to, runs are of equal items; each NaN is a run of its own, and -0
  /// equals +0. With less_equal, runs are the ascending pieces.
  /// @param in,out,count,n,stream as in select_if(). `in` and `out` may be the same memory.
  /// @param predicate as in select_if().
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Out, typename Count>
  void unique(const In* in, Out* out, Count* count, const Items& n, Operator predicate = equal_to,
              Stream stream = nullptr) {
    const void* const arrays[] = {in, out, count};
    run_arrays(call_types::selection<In, Out, Count>(Algorithm::unique, predicate, n.most()), arrays, 1, n, nullptr,
               stream);
  }

  /// The first key and the first value of each run of keys: copies them to `unique_keys` and `out`, and writes the
  /// number of runs to `count`. A run goes on as long as predicate(keys[i - 1], keys[i]) holds.
  /// @param keys device memory with n keys of any type of numbers, aligned to the size of a key.
  /// @param values device memory with n items, aligned to the size of an item.
  /// @param unique_keys device memory with room for n keys of the same type; it may be `keys`.
  /// @param out device memory with room for n items of the same type; it may be `values`.
  /// @param count,n,stream as in select_if().
  /// @param predicate as in unique(), on keys.
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename Key, typename In, typename UniqueKey, typename Out, typename Count>
  void unique_by_key(const Key* keys, const In* values, UniqueKey* unique_keys, Out* out, Count* count, const Items& n,
                     Operator predicate = equal_to, Stream stream = nullptr) {
    call_types::check_copied<Key, UniqueKey>();
    Problem problem = call_types::selection<In, Out, Count>(Algorithm::unique_by_key, predicate, n.most());
    problem.key = value_type<Key>();
    const void* const arrays[] = {keys, values, unique_keys, out, count};
    run_arrays(problem, arrays, 2, n, nullptr, stream);
  }

  /// Run-length encoding: writes the last item of each run to `unique`, the number of its items to `lengths`, and the
  /// number of runs to `count`. Runs are those of unique().
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param unique device memory with room for n items of the same type; it may be `in`.
  /// @param lengths device memory with room for n numbers of type std::uint32_t or std::uint64_t. Lengths of 32 bits
  /// wrap around at 2^32.
  /// @param count device memory for one std::uint64_t: the number of runs. The call does not wait for it.
  /// @param n,predicate,stream as in unique().
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Unique, typename Length, typename Count>
  void run_length_encode(const In* in, Unique* unique, Length* lengths, Count* count, const Items& n,
                         Operator predicate = equal_to, Stream stream = nullptr) {
    call_types::check_copied<In, Unique>();
    static_assert(call_types::count_type<Count>() == Type::u64,
                  "upsweep: the number of runs has 64 bits: count is a pointer to std::uint64_t");
    const Problem problem = make_problem(Algorithm::run_length_encode, predicate, value_type<In>(),
                                         call_types::count_type<Length>(), n.most());
    const void* const arrays[] = {in, unique, lengths, count};
    run_arrays(problem, arrays, 1, n, nullptr, stream);
  }

  /// Runs of at least two items: writes the index of the first item of each to `offsets`, the number of its items to
  /// `lengths`, and the number of these runs to `count`. Runs are those of unique().
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param offsets,lengths device memory with room for n numbers of one type, std::uint32_t or std::uint64_t. With 32
  /// bits, n is less than 2^32. No more than n / 2 of them are written: Items::capacity() says that there is room for
  /// so many. One of the two may be `in` if the items have the same size.
  /// @param count device memory for one std::uint64_t: the number of runs. The call does not wait for it.
  /// @param n,predicate,stream as in unique().
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Number, typename Count>
  void nontrivial_runs(const In* in, Number* offsets, Number* lengths, Count* count, const Items& n,
                       Operator predicate = equal_to, Stream stream = nullptr) {
    static_assert(call_types::count_type<Count>() == Type::u64,
                  "upsweep: the number of runs has 64 bits: count is a pointer to std::uint64_t");
    const Problem problem = make_problem(Algorithm::nontrivial_runs, predicate, value_type<In>(),
                                         call_types::count_type<Number>(), n.most());
    const void* const arrays[] = {in, offsets, lengths, count};
    run_arrays(problem, arrays, 1, n, nullptr, stream);
  }

 protected:
  /// For Context.
  explicit CompactCalls(std::shared_ptr<runtime::Engine> engine) : engine_(std::move(engine)) {}

  /// What the calls run on.
  std::shared_ptr<runtime::Engine> engine_;

  /// For the calls. The arrays are in the order of ports(problem); that many of them, from the first on, are read.
  /// scalar: where on the host the value is that a call of the problem takes; null for an initial value that is the
  /// identity of the operator, and for problems without such a value.
  void run_arrays(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs, const Items& n,
                  const void* scalar, Stream stream);
  /// The same with the value at this device address.
  void run_arrays_from_memory(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs,
                              const Items& n, const void* scalar, Stream stream);
};

}  // namespace upsweep
