// CUB, behind the C interface that bench/peer.hpp loads.
#include <cstdio>

#include <cub/version.cuh>

#include "bench/cub/problems.cuh"

extern "C" const char* upsweep_peer_name() {
  static char name[32];
  std::snprintf(name, sizeof name, "CUB %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  return name;
}

extern "C" int upsweep_peer_run(const char* algorithm, const char* op, const char* type, const void* in, void* out,
                                std::uint64_t n, void* temporary, std::size_t* bytes, void* stream) {
  using namespace upsweep_peer;
  const Call call{algorithm, op, type, in, out, n, temporary, bytes, static_cast<cudaStream_t>(stream)};
  for (const auto run :
       {run_integers_32, run_floats, run_integers_64, run_integers_8, run_integers_16, run_floats_16, run_complex}) {
    if (const int result = run(call); result != not_built) return result;
  }
  return not_built;
}
