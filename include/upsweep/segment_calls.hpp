/// @file
/// SegmentCalls: the calls of a Context that scan or reduce segments. typed_calls.hpp includes this header.
#pragma once

#include <upsweep/export.hpp>

#include <memory>
#include <type_traits>
#include <utility>

#include <upsweep/arguments.hpp>
#include <upsweep/axis_calls.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// Scans and reductions of segments with typed pointers, and the calls of AxisCalls. See Context for what holds of
/// every call.
class SegmentCalls : public AxisCalls {
 public:
  using AxisCalls::exclusive_scan;
  using AxisCalls::inclusive_scan;
  using AxisCalls::reduce;

  /// Inclusive scan of each segment on its own: out[i] = op of the items from the first one of its segment on, up to
  /// in[i]. Where no segment has item i, out[i] stays as it was.
  ///
  /// Every application of the operator is computed in the type Out. `in` and `out` may be the same memory if In and Out
  /// have the same size; they must not overlap in any other way, and `out` must not overlap the offsets.
  /// @param in device memory with segments.items() items, aligned to the size of an item. May be null if their number
  /// is 0.
  /// @param out device memory with room for as many items, aligned to the size of an item.
  /// @param segments where segments begin and end: `segments(offsets, count, items)`.
  /// @param op the operator, which must accept the type Out (see validate()).
  /// @param stream the stream to run in; nullptr is the device's default stream (Context::default_stream()).
  /// @throws UsageError for an invalid combination of types and operator, for invalid addresses, or if there are 2^64-1
  /// segments, whose offsets no array has room for.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the launch fails, or if the kernel would have to be compiled while the stream is being
  /// captured (call prepare() with in_segments(problem, segments), and with Arguments of pairs, before the capture).
  template <typename In, typename Out>
  void inclusive_scan(const In* in, Out* out, const Segments& segments, Operator op = plus, Stream stream = nullptr) {
    run_segments(of_segments<In, Out>(Algorithm::inclusive_scan, op, segments), in, out, segments, nullptr, stream);
  }

  /// Exclusive scan of each segment on its own, which starts each segment from the identity of the operator: out[i] =
  /// op(identity, items from the first one of the segment on, up to in[i-1]). Parameters and errors are those of
  /// inclusive_scan().
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Segments& segments, Operator op = plus, Stream stream = nullptr) {
    run_segments(of_segments<In, Out>(Algorithm::exclusive_scan, op, segments), in, out, segments, nullptr, stream);
  }
  /// The same, starting each segment from an initial value on the host.
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Segments& segments, Operator op,
                      const std::type_identity_t<Out>& initial, Stream stream = nullptr) {
    run_segments(of_segments<In, Out>(Algorithm::exclusive_scan, op, segments), in, out, segments, &initial, stream);
  }
  /// The same with an initial value in device memory: `in_memory(address)`. The address must not lie within `out`.
  template <typename In, typename Out>
  void exclusive_scan(const In* in, Out* out, const Segments& segments, Operator op,
                      InMemory<std::type_identity_t<Out>> initial, Stream stream = nullptr) {
    run_segments_from_memory(of_segments<In, Out>(Algorithm::exclusive_scan, op, segments), in, out, segments,
                             initial.address, stream);
  }

  /// Reduction of each segment on its own, which starts from the identity of the operator: out[s] = op of the items of
  /// segment s. An empty segment gives the identity.
  /// @param in as in inclusive_scan().
  /// @param out device memory with room for segments.count() items, aligned to the size of an item. It must overlap
  /// neither `in` nor the offsets. May be null if there are no segments.
  /// @param segments,op,stream as in inclusive_scan(); the errors, too.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Segments& segments, Operator op = plus, Stream stream = nullptr) {
    run_segments(of_segments<In, Out>(Algorithm::reduce, op, segments), in, out, segments, nullptr, stream);
  }
  /// The same, starting each segment from an initial value on the host: out[s] = op(initial, items of segment s). An
  /// empty segment gives `initial`.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Segments& segments, Operator op, const std::type_identity_t<Out>& initial,
              Stream stream = nullptr) {
    run_segments(of_segments<In, Out>(Algorithm::reduce, op, segments), in, out, segments, &initial, stream);
  }
  /// The same with an initial value in device memory: `in_memory(address)`. The address must not lie within `out`.
  template <typename In, typename Out>
  void reduce(const In* in, Out* out, const Segments& segments, Operator op,
              InMemory<std::type_identity_t<Out>> initial, Stream stream = nullptr) {
    run_segments_from_memory(of_segments<In, Out>(Algorithm::reduce, op, segments), in, out, segments, initial.address,
                             stream);
  }

 protected:
  /// For Context.
  explicit SegmentCalls(std::shared_ptr<runtime::Engine> engine) : AxisCalls(std::move(engine)) {}

 private:
  template <typename In, typename Out>
  static Problem of_segments(Algorithm algorithm, Operator op, const Segments& segments) {
    return in_segments(make_problem(algorithm, op, value_type<In>(), value_type<Out>()), segments);
  }
  void run_segments(const Problem& problem, const void* in, void* out, const Segments& segments, const void* initial,
                    Stream stream);
  void run_segments_from_memory(const Problem& problem, const void* in, void* out, const Segments& segments,
                                const void* initial, Stream stream);
};

}  // namespace upsweep
