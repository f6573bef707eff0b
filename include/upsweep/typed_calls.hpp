/// @file
/// TypedCalls: the calls of a Context with typed pointers. context.hpp includes this header. Selections and calls by
/// key are in compact_calls.hpp, partitions in partition_calls.hpp.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>
#include <memory>
#include <utility>

#include <upsweep/arguments.hpp>
#include <upsweep/partition_calls.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// Scans and reductions with typed pointers, and those of PartitionCalls and CompactCalls: the calls of a Context,
/// whose types give the problem. See Context for what holds of every call.
class TypedCalls : public PartitionCalls {
 public:
  /// Inclusive scan: out[i] = op(in[0], ..., in[i]) for i = 0, ..., n-1.
  ///
  /// Every application of the operator is computed in the type Out. `in` and `out` may be the same memory if In and Out
  /// have the same size; they must not overlap in any other way.
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param out device memory with room for n items, aligned to the size of an item.
  /// @param n number of items; 0 is allowed and does nothing. The number may lie in device memory: see
  /// items_in_memory().
  /// @param op the operator; it must accept the type Out (see validate()).
  /// @param stream the stream to run in; nullptr is the legacy default stream.
  /// @throws UsageError for an invalid combination of types and operator, or for invalid addresses.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the launch fails, or if the kernel would have to be compiled while the stream is being
  /// captured (call prepare() before the capture).
  template <typename In, typename Out>
  void inclusive_scan(const In* in, Out* out, const Items& n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::inclusive_scan, in, out, n, op, nullptr, stream);
  }

  /// Exclusive scan that starts from the identity of the operator: out[0] = identity, out[i] = op(in[0], ..., in[i-1]).
  /// Parameters and errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Items& n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::exclusive_scan, in, out, n, op, nullptr, stream);
  }
  /// Exclusive scan with an initial value: out[0] = initial, out[i] = op(initial, in[0], ..., in[i-1]).
  /// `initial` is a value on the host. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Items& n, Operator op, const std::type_identity_t<Out>& initial,
                      Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::exclusive_scan, in, out, n, op, &initial, stream);
  }

  /// Exclusive scan with an initial value in device memory: `in_memory(address)`. The kernel reads the value when it
  /// runs, after all earlier work in the stream; the address must not lie within `out`. Such calls have a kernel of
  /// their own: to capture one, call prepare() with Arguments before the capture. The other parameters and the
  /// errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Items& n, Operator op, InMemory<std::type_identity_t<Out>> initial,
                      Stream stream = nullptr) {
    run_from_memory(make_problem(Algorithm::exclusive_scan, op, value_type<In>(), value_type<Out>(), n.most()), in, out,
                    n, initial.address, stream);
  }

  /// Inclusive scan by key: out[i] = op of the values from the first item of its run on, up to values[i]. Neighbouring
  /// items with equal keys are a run; keys that are equal but not neighbours are runs of their own.
  ///
  /// Every application of the operator is computed in the type Out. `values` and `out` may be the same memory if In and
  /// Out have the same size; no two arrays may overlap in any other way.
  /// @param keys device memory with n keys, aligned to the size of a key. Keys are numbers of any type that is not
  /// complex. They are equal if == says so: each NaN is a run of its own, and -0 equals +0.
  /// @param values device memory with n items, aligned to the size of an item.
  /// @param out,n,op,stream as in inclusive_scan().
  /// @throws UsageError, CompilerError and DeviceError as inclusive_scan().
  template <typename Key, typename In, typename Out>
  void inclusive_scan_by_key(const Key* keys, const In* values, Out* out, const Items& n, Operator op = plus,
                             Stream stream = nullptr) {
    scan_by_key<Key, In, Out>(Algorithm::inclusive_scan_by_key, keys, values, out, n, op, nullptr, stream);
  }

  /// Exclusive scan by key that starts each run from the identity of the operator: out[i] = op(identity, values from
  /// the first item of the run on, up to values[i-1]). Parameters and errors are those of inclusive_scan_by_key().
  template <typename Key, typename In, typename Out>
  void exclusive_scan_by_key(const Key* keys, const In* values, Out* out, const Items& n, Operator op = plus,
                             Stream stream = nullptr) {
    scan_by_key<Key, In, Out>(Algorithm::exclusive_scan_by_key, keys, values, out, n, op, nullptr, stream);
  }
  /// Exclusive scan by key that starts each run from an initial value on the host.
  template <typename Key, typename In, typename Out>
  void exclusive_scan_by_key(const Key* keys, const In* values, Out* out, const Items& n, Operator op,
                             const std::type_identity_t<Out>& initial, Stream stream = nullptr) {
    scan_by_key<Key, In, Out>(Algorithm::exclusive_scan_by_key, keys, values, out, n, op, &initial, stream);
  }
  /// Exclusive scan by key with an initial value in device memory: `in_memory(address)`. Otherwise as exclusive_scan()
  /// with an initial value in device memory.
  template <typename Key, typename In, typename Out>
  void exclusive_scan_by_key(const Key* keys, const In* values, Out* out, const Items& n, Operator op,
                             InMemory<std::type_identity_t<Out>> initial, Stream stream = nullptr) {
    const void* const arrays[] = {keys, values, out};
    run_arrays_from_memory(by_key<Key, In, Out>(Algorithm::exclusive_scan_by_key, op, n), arrays, 2, n, initial.address,
                           stream);
  }

  /// Reduction that starts from the identity of the operator: out[0] = op(in[0], ..., in[n-1]). `out` has room for one
  /// item. With n = 0 the result is the identity. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Items& n, Operator op = plus, Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::reduce, in, out, n, op, nullptr, stream);
  }
  /// Reduction with an initial value: out[0] = op(initial, in[0], ..., in[n-1]). `initial` is a value on the host. With
  /// n = 0 the result is `initial`. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Items& n, Operator op, const std::type_identity_t<Out>& initial,
              Stream stream = nullptr) {
    scan_or_reduce<In, Out>(Algorithm::reduce, in, out, n, op, &initial, stream);
  }

  /// Reduction with an initial value in device memory: `in_memory(address)`. The address may be `out`, whose value is
  /// then replaced by the result. Otherwise as exclusive_scan() with an initial value in device memory.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Items& n, Operator op, InMemory<std::type_identity_t<Out>> initial,
              Stream stream = nullptr) {
    run_from_memory(make_problem(Algorithm::reduce, op, value_type<In>(), value_type<Out>(), n.most()), in, out, n,
                    initial.address, stream);
  }

 protected:
  /// For Context.
  explicit TypedCalls(std::shared_ptr<runtime::Engine> engine) : PartitionCalls(std::move(engine)) {}

 private:
  template <typename In, typename Out>
  void scan_or_reduce(Algorithm algorithm, const In* in, Out* out, const Items& n, Operator op, const Out* initial,
                      Stream stream) {
    Problem problem = make_problem(algorithm, op, value_type<In>(), value_type<Out>(), n.most());
    run(problem, in, out, n, initial, stream);
  }
  template <typename Key, typename In, typename Out>
  static Problem by_key(Algorithm algorithm, Operator op, const Items& n) {
    Problem problem = make_problem(algorithm, op, value_type<In>(), value_type<Out>(), n.most());
    problem.key = value_type<Key>();
    return problem;
  }
  template <typename Key, typename In, typename Out>
  void scan_by_key(Algorithm algorithm, const Key* keys, const In* values, Out* out, const Items& n, Operator op,
                   const Out* initial, Stream stream) {
    const void* const arrays[] = {keys, values, out};
    run_arrays(by_key<Key, In, Out>(algorithm, op, n), arrays, 2, n, initial, stream);
  }
  void run(const Problem& problem, const void* in, void* out, const Items& n, const void* initial, Stream stream);
  void run_from_memory(const Problem& problem, const void* in, void* out, const Items& n, const void* initial,
                       Stream stream);
};

}  // namespace upsweep
