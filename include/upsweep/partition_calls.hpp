/// @file
/// PartitionCalls: the calls of a Context that copy each item to one of a few parts. typed_calls.hpp includes this
/// header.
#pragma once

#include <upsweep/export.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <upsweep/arguments.hpp>
#include <upsweep/call_types.hpp>
#include <upsweep/compact_calls.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// Partitions with typed pointers, and the calls of CompactCalls. See Context for what holds of every call.
class PartitionCalls : public CompactCalls {
 public:
  /// Partition: copies the items for which predicate(in[i], threshold) holds to the beginning of `out`, in their order,
  /// all others behind them, in reverse order, and writes the number of the former to `count`. No two arrays may
  /// overlap.
  /// @param in,out,count,n,predicate,threshold,stream as in select_if().
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Out, typename Count, typename Threshold>
  void partition(const In* in, Out* out, Count* count, const Items& n, Operator predicate, const Threshold& threshold,
                 Stream stream = nullptr) {
    const In value = call_types::threshold_of<In>(threshold, value_type<In>());
    const void* const arrays[] = {in, out, count};
    run_arrays(call_types::selection<In, Out, Count>(Algorithm::partition, predicate, n.most()), arrays, 1, n, &value,
               stream);
  }
  /// Partition with a threshold in device memory: see select_if().
  template <typename In, typename Out, typename Count>
  void partition(const In* in, Out* out, Count* count, const Items& n, Operator predicate, InMemory<In> threshold,
                 Stream stream = nullptr) {
    const void* const arrays[] = {in, out, count};
    run_arrays_from_memory(call_types::selection<In, Out, Count>(Algorithm::partition, predicate, n.most()), arrays, 1,
                           n, threshold.address, stream);
  }

  /// Stable partition: copies the items for which predicate(in[i], threshold) holds to the beginning of `out`, all
  /// others behind them, both in their order, and writes the number of the former to `count`. The call launches two
  /// kernels and reads the items twice. No two arrays may overlap.
  /// @param in,out,count,n,predicate,threshold,stream as in select_if().
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Out, typename Count, typename Threshold>
  void stable_partition(const In* in, Out* out, Count* count, const Items& n, Operator predicate,
                        const Threshold& threshold, Stream stream = nullptr) {
    const In value = call_types::threshold_of<In>(threshold, value_type<In>());
    const void* const arrays[] = {in, out, count};
    run_arrays(call_types::selection<In, Out, Count>(Algorithm::stable_partition, predicate, n.most()), arrays, 1, n,
               &value, stream);
  }
  /// Stable partition with a threshold in device memory: see select_if().
  template <typename In, typename Out, typename Count>
  void stable_partition(const In* in, Out* out, Count* count, const Items& n, Operator predicate,
                        InMemory<In> threshold, Stream stream = nullptr) {
    const void* const arrays[] = {in, out, count};
    run_arrays_from_memory(call_types::selection<In, Out, Count>(Algorithm::stable_partition, predicate, n.most()),
                           arrays, 1, n, threshold.address, stream);
  }

  /// Three-way partition: copies each item to one of three arrays, in their order: to `first` if predicate(in[i],
  /// threshold) holds, else to `second` if predicate(in[i], second_threshold) holds, else to `rest`. Writes the number
  /// of items of each. With upsweep::less and the thresholds 10 and 20, `first` has the items below 10, `second` those
  /// from 10 to 19, and `rest` those from 20 on. No two arrays may overlap.
  /// @param in device memory with n items, aligned to the size of an item.
  /// @param first,second,rest device memory with room for n items of the same type each, aligned to the size of an
  /// item.
  /// @param first_count,second_count,rest_count device memory for one std::uint32_t or std::uint64_t each: the numbers
  /// of items. The call does not wait for them.
  /// @param n,predicate,stream as in select_if().
  /// @param threshold,second_threshold values on the host, which are converted to the type of the items.
  /// @throws UsageError, CompilerError and DeviceError as select_if().
  template <typename In, typename Out, typename Count, typename Threshold, typename SecondThreshold>
  void three_way_partition(const In* in, Out* first, Out* second, Out* rest, Count* first_count, Count* second_count,
                           Count* rest_count, const Items& n, Operator predicate, const Threshold& threshold,
                           const SecondThreshold& second_threshold, Stream stream = nullptr) {
    const In values[] = {call_types::threshold_of<In>(threshold, value_type<In>()),
                         call_types::threshold_of<In>(second_threshold, value_type<In>())};
    const void* const scalars[] = {&values[0], &values[1]};
    const void* const arrays[] = {in, first, second, rest, first_count, second_count, rest_count};
    run_with_scalars(call_types::selection<In, Out, Count>(Algorithm::three_way_partition, predicate, n.most()), arrays,
                     1, n, scalars, stream);
  }
  /// Three-way partition with both thresholds in device memory: see select_if().
  template <typename In, typename Out, typename Count>
  void three_way_partition(const In* in, Out* first, Out* second, Out* rest, Count* first_count, Count* second_count,
                           Count* rest_count, const Items& n, Operator predicate, InMemory<In> threshold,
                           InMemory<In> second_threshold, Stream stream = nullptr) {
    const void* const scalars[] = {threshold.address, second_threshold.address};
    const void* const arrays[] = {in, first, second, rest, first_count, second_count, rest_count};
    run_with_scalars_in_memory(
        call_types::selection<In, Out, Count>(Algorithm::three_way_partition, predicate, n.most()), arrays, 1, n,
        scalars, stream);
  }

 protected:
  /// For Context.
  explicit PartitionCalls(std::shared_ptr<runtime::Engine> engine) : CompactCalls(std::move(engine)) {}

 private:
  /// For the calls, as run_arrays() with several values: where on the host they lie, in the order of scalars(problem).
  void run_with_scalars(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs, const Items& n,
                        std::span<const void* const> scalars, Stream stream);
  /// The same with the values at these device addresses.
  void run_with_scalars_in_memory(const Problem& problem, std::span<const void* const> arrays, std::size_t inputs,
                                  const Items& n, std::span<const void* const> scalars, Stream stream);
};

}  // namespace upsweep
