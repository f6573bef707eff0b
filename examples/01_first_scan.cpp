// The shortest use: a running sum. On a GPU the pointers are device pointers (cudaMalloc, a framework's tensors); on
// the host device, which this example asks for so that it runs anywhere, they are ordinary ones.
#include <cstdio>
#include <vector>

#include <upsweep/upsweep.hpp>

int main() {
  upsweep::Context context({.device = "host"});
  const std::vector<int> in{3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<long> sums(in.size());
  context.inclusive_scan(in.data(), sums.data(), in.size());  // i32 values summed in i64: the types say so
  int largest = 0;
  context.reduce(in.data(), &largest, in.size(), upsweep::maximum);

  for (const long sum : sums) std::printf("%ld ", sum);
  std::printf("\nlargest: %d\n", largest);
  return sums.back() == 31 && largest == 9 ? 0 : 1;
}
