/// @file
/// ScanByKeyCalls: the calls of a Context that scan runs of equal keys. row_calls.hpp includes this header.
#pragma once

#include <upsweep/export.hpp>

#include <memory>
#include <type_traits>
#include <utility>

#include <upsweep/arguments.hpp>
#include <upsweep/partition_calls.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// Scans by key with typed pointers, and the calls of PartitionCalls. See Context for what holds of every call.
class ScanByKeyCalls : public PartitionCalls {
 public:
  /// Inclusive scan by key: out[i] = op of the values from the first item of its run on, up to values[i]. Neighbouring
  /// items with equal keys are a run; keys that are equal but not neighbours are runs of their own.
  ///
  /// Every application of the operator is computed in the type Out. `values` and `out` may be the same memory if In and
  /// Out have the same size; no two arrays may overlap in any other way.
  /// @param keys device memory with n keys, aligned to the size of a key. Keys are numbers of any type that is not
  /// complex. They are equal if == says so: each NaN is a run of its own, and -0 equals +0.
  /// @param values device memory with n items, aligned to the size of an item.
  /// @param out,n,op,stream as in TypedCalls::inclusive_scan().
  /// @throws UsageError, CompilerError and DeviceError as TypedCalls::inclusive_scan().
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
  /// Exclusive scan by key with an initial value in device memory: `in_memory(address)`. Otherwise as
  /// TypedCalls::exclusive_scan() with an initial value in device memory.
  template <typename Key, typename In, typename Out>
  void exclusive_scan_by_key(const Key* keys, const In* values, Out* out, const Items& n, Operator op,
                             InMemory<std::type_identity_t<Out>> initial, Stream stream = nullptr) {
    const void* const arrays[] = {keys, values, out};
    run_arrays_from_memory(by_key<Key, In, Out>(Algorithm::exclusive_scan_by_key, op, n), arrays, 2, n, initial.address,
                           stream);
  }

 protected:
  /// For Context.
  explicit ScanByKeyCalls(std::shared_ptr<runtime::Engine> engine) : PartitionCalls(std::move(engine)) {}

 private:
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
};

}  // namespace upsweep
