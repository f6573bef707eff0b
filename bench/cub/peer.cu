// CUB, behind the C interface that bench/peer.cpp loads.
#include <cstdio>

#include <cub/version.cuh>

#include "bench/cub/call.cuh"

namespace upsweep_peer {
namespace {

using Run = int (*)(const Call& call);

template <int units>
int first_built(const Call& call, const Run (&runs)[units]) {
  for (const Run run : runs) {
    if (const int result = run(call); result != not_built) return result;
  }
  return not_built;
}

constexpr Run scans_and_reduces[] = {run_integers_32, run_floats,    run_integers_64, run_integers_8,
                                     run_integers_16, run_floats_16, run_complex};
constexpr Run selections[] = {select_integers, select_floats, select_integers_narrow};
constexpr Run reductions_by_key[] = {by_key_u32, by_key_u64, by_key_i32};

}  // namespace
}  // namespace upsweep_peer

extern "C" const char* upsweep_peer_name() {
  static char name[32];
  std::snprintf(name, sizeof name, "CUB %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  return name;
}

extern "C" int upsweep_peer_call_2(const UpsweepPeerCall* call) {
  using namespace upsweep_peer;
  if (call->row_length > 0) return call->key[0] != 0 ? segments(*call) : rows(*call);
  if (is(call->op, upsweep_peer_reproducible_plus)) return reproducible_sum(*call);
  if (is(call->algorithm, "select_if")) return first_built(*call, selections);
  if (is(call->algorithm, "select_flagged")) return select_flagged(*call);
  if (is(call->algorithm, "reduce_by_key")) return first_built(*call, reductions_by_key);
  for (const char* algorithm : {"unique", "unique_by_key", "run_length_encode", "nontrivial_runs", "nonzero"}) {
    if (is(call->algorithm, algorithm)) return runs(*call);
  }
  if (is(call->algorithm, "partition")) return partition(*call);
  if (is(call->algorithm, "three_way_partition")) return three_way_partition(*call);
  if (is(call->algorithm, "adjacent_difference")) return adjacent_difference(*call);
  for (const char* algorithm : {"inclusive_scan_by_key", "exclusive_scan_by_key"}) {
    if (is(call->algorithm, algorithm)) return scan_by_key(*call);
  }
  return first_built(*call, scans_and_reduces);
}
