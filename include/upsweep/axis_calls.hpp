/// @file
/// AxisCalls: the calls of a Context that scan or reduce along an axis. typed_calls.hpp includes this header.
#pragma once

#include <upsweep/export.hpp>

#include <memory>
#include <type_traits>
#include <utility>

#include <upsweep/arguments.hpp>
#include <upsweep/axis.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/row_calls.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// Scans and reductions along an axis with typed pointers, and the calls of RowCalls. See Context for what holds of
/// every call.
class AxisCalls : public RowCalls {
 public:
  using RowCalls::exclusive_scan;
  using RowCalls::inclusive_scan;
  using RowCalls::reduce;

  /// Inclusive scan along an axis: the result at (o, k, j) is op of the items (o, 0, j), ..., (o, k, j).
  ///
  /// Every application of the operator is computed in the type Out. `in` and `out` may be the same memory if In and Out
  /// have the same size; they must not overlap in any other way.
  /// @param in device memory with axis.items() items, aligned to the size of an item. May be null if their number is 0.
  /// @param out device memory with room for as many items, aligned to the size of an item.
  /// @param axis the extents of the array, each of which may be 0: `axis(1, 1000, 64)`.
  /// @param op the operator, which must accept the type Out (see validate()).
  /// @param stream the stream to run in; nullptr is the device's default stream (Context::default_stream()).
  /// @throws UsageError for an invalid combination of types and operator, for invalid addresses, or if axis.items()
  /// does not fit into 64 bits.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the launch fails, or if the kernel would have to be compiled while the stream is being
  /// captured (call prepare() with along_axis(problem, axis) before the capture).
  template <typename In, typename Out>
  void inclusive_scan(const In* in, Out* out, const Axis& axis, Operator op = plus, Stream stream = nullptr) {
    run_axis(of_axis<In, Out>(Algorithm::inclusive_scan, op, axis), in, out, axis, nullptr, stream);
  }

  /// Exclusive scan along an axis, which starts each column from the identity of the operator: the result at (o, k, j)
  /// is op(identity, items (o, 0, j), ..., (o, k - 1, j)). Parameters and errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Axis& axis, Operator op = plus, Stream stream = nullptr) {
    run_axis(of_axis<In, Out>(Algorithm::exclusive_scan, op, axis), in, out, axis, nullptr, stream);
  }
  /// The same, starting each column from an initial value on the host.
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Axis& axis, Operator op, const std::type_identity_t<Out>& initial,
                      Stream stream = nullptr) {
    run_axis(of_axis<In, Out>(Algorithm::exclusive_scan, op, axis), in, out, axis, &initial, stream);
  }
  /// The same with an initial value in device memory: `in_memory(address)`. The address must not lie within `out`.
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Axis& axis, Operator op,
                      InMemory<std::type_identity_t<Out>> initial, Stream stream = nullptr) {
    run_axis_from_memory(of_axis<In, Out>(Algorithm::exclusive_scan, op, axis), in, out, axis, initial.address, stream);
  }

  /// Reduction along an axis, which starts from the identity of the operator: out[o * inner + j] = op of the items
  /// (o, 0, j), (o, 1, j), and so on. An empty axis gives the identity.
  /// @param in as in inclusive_scan().
  /// @param out device memory with room for axis.columns() items, aligned to the size of an item. It must not overlap
  /// `in`. May be null if there are no columns.
  /// @param axis,op,stream as in inclusive_scan(); the errors, too.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Axis& axis, Operator op = plus, Stream stream = nullptr) {
    run_axis(of_axis<In, Out>(Algorithm::reduce, op, axis), in, out, axis, nullptr, stream);
  }
  /// The same, starting each column from an initial value on the host. An empty axis gives `initial`.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Axis& axis, Operator op, const std::type_identity_t<Out>& initial,
              Stream stream = nullptr) {
    run_axis(of_axis<In, Out>(Algorithm::reduce, op, axis), in, out, axis, &initial, stream);
  }
  /// The same with an initial value in device memory: `in_memory(address)`. The address must not lie within `out`.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Axis& axis, Operator op, InMemory<std::type_identity_t<Out>> initial,
              Stream stream = nullptr) {
    run_axis_from_memory(of_axis<In, Out>(Algorithm::reduce, op, axis), in, out, axis, initial.address, stream);
  }

 protected:
  /// For Context.
  explicit AxisCalls(std::shared_ptr<runtime::Engine> engine) : RowCalls(std::move(engine)) {}

 private:
  template <typename In, typename Out>
  static Problem of_axis(Algorithm algorithm, Operator op, const Axis& axis) {
    return along_axis(make_problem(algorithm, op, value_type<In>(), value_type<Out>()), axis);
  }
  void run_axis(const Problem& problem, const void* in, void* out, const Axis& axis, const void* initial,
                Stream stream);
  void run_axis_from_memory(const Problem& problem, const void* in, void* out, const Axis& axis, const void* initial,
                            Stream stream);
};

}  // namespace upsweep
