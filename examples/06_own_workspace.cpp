// A workspace of the caller's own, for programs that manage all device memory themselves: two streams that compute the
// same problem at the same time, each with its own part of one allocation.
// Prints the device, the bytes of workspace and the two totals.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include "device_array.hpp"

int main() try {
  upsweep::Context context;
  std::printf("device: %s\n", context.device().c_str());
  constexpr std::size_t n = 100'000;
  // An operator that does not commute: the last value that is not 0 is carried forward. The size given here chooses the
  // config and not the result: the config for 2^24 items works in many blocks, which exchange totals in a workspace.
  const upsweep::Problem problem =
      upsweep::make_problem(upsweep::Algorithm::exclusive_scan, upsweep::last_nonzero, upsweep::Type::i32,
                            upsweep::Type::i32, std::uint64_t{1} << 24);
  const upsweep::Plan plan = context.plan(problem);

  // Both workspaces in one allocation, at multiples of 512 bytes.
  const std::uint64_t bytes = (plan.workspace_bytes(n) + 511) / 512 * 512;
  std::printf("workspace: %llu bytes for each of 2 streams\n", static_cast<unsigned long long>(bytes));
  DeviceArray<char> memory(context, 2 * bytes);

  std::vector<int> items(n, 0);
  items[1] = 5;
  items[n / 2] = 7;
  DeviceArray<int> in(context, n);
  in.copy_from(items);
  DeviceArray<int> first(context, n);
  DeviceArray<int> second(context, n);
  DeviceArray<int>* const outputs[2] = {&first, &second};
  cudaStream_t streams[2] = {nullptr, nullptr};
  for (int i = 0; i < 2; ++i) {
    if (is_gpu(context)) check(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    // Clears the memory in stream order. Each call leaves the workspace ready for the next one of this plan.
    const upsweep::BorrowedWorkspace workspace =
        plan.borrow_workspace(memory.data() + static_cast<std::uint64_t>(i) * bytes, bytes, streams[i]);
    const upsweep::Scalar initial = upsweep::Scalar::of(-1 - i);
    for (int call = 0; call < 3; ++call) {
      plan.run(in.data(), outputs[i]->data(), n, initial, streams[i], workspace);
    }
  }

  bool correct = bytes > 0;
  for (int i = 0; i < 2; ++i) {
    const std::vector<int> out = outputs[i]->values();
    std::printf("stream %d: %d, %d, ..., %d\n", i, out[0], out[2], out[n - 1]);
    correct = correct && out[0] == -1 - i && out[1] == -1 - i && out[2] == 5 && out[n / 2] == 5 && out[n - 1] == 7;
    if (streams[i] != nullptr) check(cudaStreamDestroy(streams[i]));
  }
  return correct ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
