/// @file
/// TypedCalls: the calls of a Context with typed pointers. context.hpp includes this header. Scans and reductions of
/// segments are in segment_calls.hpp, those along an axis in axis_calls.hpp, those of rows in row_calls.hpp, scans by
/// key in scan_by_key_calls.hpp, partitions in partition_calls.hpp, selections and reductions by key in
/// compact_calls.hpp.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>
#include <memory>
#include <utility>

#include <upsweep/arguments.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/segment_calls.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// What a scan or reduction combines its items with: an operator, or, of an accuracy, `plus` with it. Both convert to
/// it, so that calls just pass one of them.
class Combination {
 public:
  /// By the operator.
  Combination(Operator op) noexcept : op_(op) {}  // NOLINT(google-explicit-constructor): operators are combinations
  /// By `plus`, with sums of that accuracy.
  Combination(Accuracy accuracy) noexcept  // NOLINT(google-explicit-constructor): likewise
      : op_(plus), accuracy_(accuracy) {}

  /// The operator.
  [[nodiscard]] Operator op() const noexcept { return op_; }
  /// How its sums are kept.
  [[nodiscard]] Accuracy accuracy() const noexcept { return accuracy_; }

 private:
  Operator op_;
  Accuracy accuracy_ = Accuracy::plain;
};

/// Scans, reductions and differences with typed pointers, and those of SegmentCalls: the calls of a Context, whose
/// types give the problem. See Context for what holds of every call.
class TypedCalls : public SegmentCalls {
 public:
  using SegmentCalls::exclusive_scan;
  using SegmentCalls::inclusive_scan;
  using SegmentCalls::reduce;

  /// Inclusive scan: out[i] = op(in[0], ..., in[i]) for i = 0, ..., n-1.
  ///
  /// Every application of the operator is computed in the type Out. `in` and `out` may be the same memory if In and Out
  /// have the same size; they must not overlap in any other way.
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param out device memory with room for n items, aligned to the size of an item.
  /// @param n number of items; 0 is allowed and does nothing. The number may lie in device memory: see
  /// items_in_memory().
  /// @param op the operator, which must accept the type Out (see validate()); or an accuracy, for a sum with an error
  /// term: `context.inclusive_scan(in, out, n, upsweep::Accuracy::neumaier)`.
  /// @param stream the stream to run in; nullptr is the device's default stream (Context::default_stream()).
  /// @throws UsageError for an invalid combination of types and operator, or for invalid addresses.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the launch fails, or if the kernel would have to be compiled while the stream is being
  /// captured (call prepare() before the capture).
  template <typename In, typename Out>
  void inclusive_scan(const In* in, Out* out, const Items& n, Combination op = plus, Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::inclusive_scan, in, out, n, op, nullptr, stream);
  }

  /// Exclusive scan that starts from the identity of the operator: out[0] = identity, out[i] = op(in[0], ..., in[i-1]).
  /// Parameters and errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Items& n, Combination op = plus, Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::exclusive_scan, in, out, n, op, nullptr, stream);
  }
  /// Exclusive scan with an initial value: out[0] = initial, out[i] = op(initial, in[0], ..., in[i-1]).
  /// `initial` is a value on the host. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Items& n, Combination op, const std::type_identity_t<Out>& initial,
                      Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::exclusive_scan, in, out, n, op, &initial, stream);
  }

  /// Exclusive scan with an initial value in device memory: `in_memory(address)`. The kernel reads the value when it
  /// runs, after all earlier work in the stream; the address must not lie within `out`. Such calls have a kernel of
  /// their own: to capture one, call prepare() with Arguments before the capture. The other parameters and the
  /// errors are those of inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Items& n, Combination op,
                      InMemory<std::type_identity_t<Out>> initial, Stream stream = nullptr) {
    run_from_memory(problem_of<In, Out>(Algorithm::exclusive_scan, op, n), in, out, n, initial.address, stream);
  }

  /// Reverse inclusive scan: out[i] = op(in[n-1], ..., in[i]), from the last item to the first. Parameters and errors
  /// are those of inclusive_scan().
  template <typename In, typename Out>
  void reverse_inclusive_scan(const In* in, Out* out, const Items& n, Combination op = plus, Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::reverse_inclusive_scan, in, out, n, op, nullptr, stream);
  }

  /// Reverse exclusive scan that starts from the identity of the operator: out[n-1] = identity,
  /// out[i] = op(in[n-1], ..., in[i+1]). Parameters and errors are those of inclusive_scan().
  template <typename In, typename Out>
  void reverse_exclusive_scan(const In* in, Out* out, const Items& n, Combination op = plus, Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::reverse_exclusive_scan, in, out, n, op, nullptr, stream);
  }
  /// Reverse exclusive scan with an initial value on the host: out[n-1] = initial,
  /// out[i] = op(initial, in[n-1], ..., in[i+1]).
  template <typename In, typename Out>
  void reverse_exclusive_scan(const In* in, Out* out, const Items& n, Combination op,
                              const std::type_identity_t<Out>& initial, Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::reverse_exclusive_scan, in, out, n, op, &initial, stream);
  }
  /// Reverse exclusive scan with an initial value in device memory: see exclusive_scan().
  template <typename In, typename Out>
  void reverse_exclusive_scan(const In* in, Out* out, const Items& n, Combination op,
                              InMemory<std::type_identity_t<Out>> initial, Stream stream = nullptr) {
    run_from_memory(problem_of<In, Out>(Algorithm::reverse_exclusive_scan, op, n), in, out, n, initial.address, stream);
  }

  /// Reduction that starts from the identity of the operator: out[0] = op(in[0], ..., in[n-1]). `out` has room for one
  /// item. With n = 0 the result is the identity. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Items& n, Combination op = plus, Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::reduce, in, out, n, op, nullptr, stream);
  }
  /// Reduction with an initial value: out[0] = op(initial, in[0], ..., in[n-1]). `initial` is a value on the host. With
  /// n = 0 the result is `initial`. The other parameters and the errors are those of inclusive_scan().
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Items& n, Combination op, const std::type_identity_t<Out>& initial,
              Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::reduce, in, out, n, op, &initial, stream);
  }

  /// Reduction with an initial value in device memory: `in_memory(address)`. The address may be `out`, whose value is
  /// then replaced by the result. Otherwise as exclusive_scan() with an initial value in device memory.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Items& n, Combination op, InMemory<std::type_identity_t<Out>> initial,
              Stream stream = nullptr) {
    run_from_memory(problem_of<In, Out>(Algorithm::reduce, op, n), in, out, n, initial.address, stream);
  }

  /// Adjacent difference: out[0] = in[0], and out[i] = op(in[i], in[i-1]) for i = 1, ..., n-1.
  ///
  /// Every application of the operator is computed in the type Out. The operator need not be associative: `minus`, or
  /// any other one that combines two values. `in` and `out` must not overlap.
  /// @param in,out,n,stream as in inclusive_scan().
  /// @param op the operator; it must accept the type Out (see validate()).
  /// @throws UsageError, CompilerError and DeviceError as inclusive_scan().
  template <typename In, typename Out>
  void adjacent_difference(const In* in, Out* out, const Items& n, Operator op = minus, Stream stream = nullptr) {
    in_to_out<In, Out>(Algorithm::adjacent_difference, in, out, n, op, nullptr, stream);
  }

 protected:
  /// For Context.
  explicit TypedCalls(std::shared_ptr<runtime::Engine> engine) : SegmentCalls(std::move(engine)) {}

 private:
  template <typename In, typename Out>
  static Problem problem_of(Algorithm algorithm, Combination op, const Items& n) {
    Problem problem = make_problem(algorithm, op.op(), value_type<In>(), value_type<Out>(), n.most());
    problem.accuracy = op.accuracy();
    return problem;
  }
  template <typename In, typename Out>
  void in_to_out(Algorithm algorithm, const In* in, Out* out, const Items& n, Combination op, const Out* initial,
                 Stream stream) {
    run(problem_of<In, Out>(algorithm, op, n), in, out, n, initial, stream);
  }
  void run(const Problem& problem, const void* in, void* out, const Items& n, const void* initial, Stream stream);
  void run_from_memory(const Problem& problem, const void* in, void* out, const Items& n, const void* initial,
                       Stream stream);
};

}  // namespace upsweep
