/// @file
/// RowCalls: the calls of a Context that scan or reduce rows of equal length. typed_calls.hpp includes this header.
#pragma once

#include <upsweep/export.hpp>

#include <memory>
#include <type_traits>
#include <utility>

#include <upsweep/arguments.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/rows.hpp>
#include <upsweep/scan_by_key_calls.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// Scans and reductions of rows with typed pointers, and the calls of ScanByKeyCalls. See Context for what holds of
/// every call.
class RowCalls : public ScanByKeyCalls {
 public:
  /// Inclusive scan of each row on its own: out[i] = op of the items from the first one of its row on, up to in[i].
  ///
  /// Every application of the operator is computed in the type Out. `in` and `out` may be the same memory if In and Out
  /// have the same size; they must not overlap in any other way.
  /// With a pitch, the same memory needs the same pitch for both, and rows of one may lie in the gaps of the other.
  /// @param in device memory with rows.items() items, row by row, aligned to the size of an item. May be null if their
  /// number is 0. With a pitch, (rows.count() - 1) * rows.in_pitch() + rows.length() items.
  /// @param out device memory with room for as many items, aligned to the size of an item; with a pitch, by that of the
  /// output. Gaps keep what they hold.
  /// @param rows number of rows and of items per row, each of which may be 0: `rows(1000, 64)`; and how far rows are
  /// apart, if there are gaps: `rows(1000, 64).pitch(80)`.
  /// @param op the operator, which must accept the type Out (see validate()).
  /// @param stream the stream to run in; nullptr is the device's default stream (Context::default_stream()).
  /// @throws UsageError for an invalid combination of types and operator, for invalid addresses, for a pitch below
  /// the length, or if rows.items() or the number of rows times a pitch does not fit into 64 bits.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the launch fails, or if the kernel would have to be compiled while the stream is being
  /// captured (call prepare() with in_rows(problem, rows) before the capture).
  template <typename In, typename Out>
  void inclusive_scan(const In* in, Out* out, const Rows& rows, Operator op = plus, Stream stream = nullptr) {
    run_rows(of_rows<In, Out>(Algorithm::inclusive_scan, op, rows), in, out, rows, nullptr, stream);
  }

  /// Exclusive scan of each row on its own, which starts each row from the identity of the operator: out[i] =
  /// op(identity, items from the first one of the row on, up to in[i-1]). Parameters and errors are those of
  /// inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Rows& rows, Operator op = plus, Stream stream = nullptr) {
    run_rows(of_rows<In, Out>(Algorithm::exclusive_scan, op, rows), in, out, rows, nullptr, stream);
  }
  /// The same, starting each row from an initial value on the host.
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Rows& rows, Operator op, const std::type_identity_t<Out>& initial,
                      Stream stream = nullptr) {
    run_rows(of_rows<In, Out>(Algorithm::exclusive_scan, op, rows), in, out, rows, &initial, stream);
  }
  /// The same with an initial value in device memory: `in_memory(address)`. The address must not lie within `out`.
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Rows& rows, Operator op,
                      InMemory<std::type_identity_t<Out>> initial, Stream stream = nullptr) {
    run_rows_from_memory(of_rows<In, Out>(Algorithm::exclusive_scan, op, rows), in, out, rows, initial.address, stream);
  }

  /// Reduction of each row on its own, which starts from the identity of the operator: out[r] = op of the items of row
  /// r. An empty row gives the identity.
  /// @param in as in inclusive_scan().
  /// @param out device memory with room for rows.count() items, aligned to the size of an item. It must not overlap
  /// `in`. May be null if there are no rows.
  /// @param rows,op,stream as in inclusive_scan(); the errors, too.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Rows& rows, Operator op = plus, Stream stream = nullptr) {
    run_rows(of_rows<In, Out>(Algorithm::reduce, op, rows), in, out, rows, nullptr, stream);
  }
  /// The same, starting each row from an initial value on the host: out[r] = op(initial, items of row r). An empty row
  /// gives `initial`.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Rows& rows, Operator op, const std::type_identity_t<Out>& initial,
              Stream stream = nullptr) {
    run_rows(of_rows<In, Out>(Algorithm::reduce, op, rows), in, out, rows, &initial, stream);
  }
  /// The same with an initial value in device memory: `in_memory(address)`. The address must not lie within `out`.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Rows& rows, Operator op, InMemory<std::type_identity_t<Out>> initial,
              Stream stream = nullptr) {
    run_rows_from_memory(of_rows<In, Out>(Algorithm::reduce, op, rows), in, out, rows, initial.address, stream);
  }

 protected:
  /// For Context.
  explicit RowCalls(std::shared_ptr<runtime::Engine> engine) : ScanByKeyCalls(std::move(engine)) {}

 private:
  template <typename In, typename Out>
  static Problem of_rows(Algorithm algorithm, Operator op, const Rows& rows) {
    return in_rows(make_problem(algorithm, op, value_type<In>(), value_type<Out>()), rows);
  }
  void run_rows(const Problem& problem, const void* in, void* out, const Rows& rows, const void* initial,
                Stream stream);
  void run_rows_from_memory(const Problem& problem, const void* in, void* out, const Rows& rows, const void* initial,
                            Stream stream);
};

}  // namespace upsweep
