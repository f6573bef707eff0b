// What `upsweep bench` asks of the library that it loads. Both sides include this file, and nothing of the other side.
#pragma once

#include <stddef.h>
#include <stdint.h>

// What upsweep_peer_call_2 returns, if not a cudaError_t: 0 is success.
enum { upsweep_peer_not_built = -1 };

// The operator of sums of the accuracy `binned`: no library that is older than this name has it.
inline constexpr const char* upsweep_peer_reproducible_plus = "plus_binned";

// One call of a problem. Names are those of include/upsweep/types.hpp: "select_if", "less", "i32".
struct UpsweepPeerCall {
  const char* algorithm;
  const char* op;
  const char* type;            // of the items; results have it, too
  const char* accumulator;     // of select_if: the type of the number of results; otherwise as `type`
  const char* key;             // type of the keys, or of offsets; "": there are none
  const void* const* arrays;   // device addresses, in the order of ports(problem)
  const void* const* scalars;  // values on the host, in the order of scalars(problem)
  uint64_t n;
  uint64_t rows;        // of the shapes rows and segments: how many; of others 0
  uint64_t row_length;  // and how long each is, or their mean, at least 1; of others 0
  void* temporary;      // nullptr: nothing is run, only *bytes is set; arrays and scalars are nullptr then
  size_t* bytes;        // of the temporary memory
  void* stream;         // a cudaStream_t
};

// A change of the struct renames upsweep_peer_call_2, so that an older library is refused, not called.
extern "C" const char* upsweep_peer_name();
extern "C" int upsweep_peer_call_2(const struct UpsweepPeerCall* call);
