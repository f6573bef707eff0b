// A libcuda of the tests' own: enough of the driver API to run upsweep's device against, with the driver's rules that
// matter to it, and what happened in the open.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

// One context of a device; handles are addresses of these.
struct FakeContext {
  CUdevice device = 0;
};

struct FakeLaunch {
  CUfunction function = nullptr;
  unsigned blocks[3] = {};
  unsigned threads[3] = {};
  unsigned shared_bytes = 0;
  CUstream stream = nullptr;
  int first_argument = 0;  // read through the pointers during the call
  // Through cuLaunchKernelEx:
  bool extended = false;
  unsigned cluster_blocks = 1;
  bool cooperative = false;
  bool dependent = false;  // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
};

// Held by graphs and executables; told when the last of them is gone.
struct FakeUserObject {
  CUhostFn destroy = nullptr;
  void* data = nullptr;
  unsigned references = 0;
};

struct FakeGreenContext {
  CUdevice device = 0;
  unsigned multiprocessors = 0;
  unsigned number = 0;  // among the parts of that size
};

// Parts of devices.
struct FakeParts {
  unsigned least = 8, step = 8, most = 128;
  bool tells_steps = true;  // as drivers for CUDA 13.0 do
  std::map<void*, FakeGreenContext> descriptions, contexts;
  std::map<CUstream, void*> streams;  // and their contexts
};

// What tests see and set.
struct FakeState {
  int devices = 2;
  int version = 13000;
  std::size_t free_bytes = std::size_t{1} << 30;
  unsigned resident_blocks = 264;  // the most that a cooperative launch can have

  std::map<CUdevice_attribute, int> attributes;          // instead of what the fake makes up
  bool recording = true;                                 // calls and launches; without, the fake allocates nothing
  std::uint64_t entered = 0;                             // calls of any function, recorded or not
  std::map<std::string, CUresult> failures;              // by function, until erased
  std::vector<std::pair<std::string, CUcontext>> calls;  // of functions that need a context, and which was current
  std::map<CUdevice, int> retained;                      // primary contexts
  std::map<void*, std::size_t> memory;
  std::map<CUmodule, std::string> modules;  // with the name of its one function
  std::set<CUevent> events;
  std::map<CUstream, unsigned> streams;        // flags
  std::map<CUstream, unsigned long long> ids;  // as cuStreamGetId tells them
  std::map<CUstream, cuuint64_t> captures;     // capture ids of streams being captured
  std::set<CUstream> invalidated;
  std::map<cuuint64_t, CUgraph> capture_graphs;                  // of captures that were asked for theirs
  std::map<CUstream, std::vector<CUgraphNode>> next_depends_on;  // of captured streams
  std::map<CUgraphNode, std::vector<CUgraphNode>> dependencies;  // of captured launches
  std::map<CUuserObject, FakeUserObject> user_objects;
  std::map<const void*, std::vector<CUuserObject>> holds;  // of graphs and executables
  std::map<const void*, CUdevice> elsewhere;               // addresses of another device's memory
  std::map<CUstream, unsigned> green_multiprocessors;      // of streams of green contexts
  unsigned context_multiprocessors = 0;                    // of a green context; 0: all
  FakeParts parts;
  std::set<CUgraph> graphs;
  std::set<CUgraphExec> executables;
  std::map<CUgraphExec, int> uploads;
  std::map<CUgraphExec, int> replays;
  std::vector<CUstream> replayed_in;
  std::vector<std::pair<CUfunction_attribute, int>> function_attributes;
  std::vector<FakeLaunch> launches;
  std::vector<CUstream> synchronized;
  std::vector<std::uint32_t> held;         // what words held that streams were told to wait for, at that moment
  const std::uint32_t* awaited = nullptr;  // the last of these words
  bool capturing_globally = false;         // some thread captures in the global mode
  bool legacy_implicit = false;            // ... a stream that the legacy stream waits for
};

// Device 0 and 1; memory is the host's. Calls that need a context fail without one, as the driver's do.
struct FakeCuda : FakeState {
  std::recursive_mutex mutex;
  std::map<CUdevice, FakeContext> primary{{0, {0}}, {1, {1}}};
  unsigned long long next_handle = 0x1000;
};

// The library's one state, and the calling thread's stack of contexts and its capture mode.
extern "C" FakeCuda* fake_cuda();
extern "C" std::vector<CUcontext>* fake_cuda_stack();
extern "C" CUstreamCaptureMode* fake_cuda_mode();

// What the attributes of a launch ask for, or the driver's refusal.
CUresult fake_read_attributes(const FakeCuda& fake, const CUlaunchConfig& config, FakeLaunch& launch);
