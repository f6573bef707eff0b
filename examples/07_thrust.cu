// Thrust vectors: upsweep takes the raw pointer of a thrust::device_vector, and its calls stand between Thrust's in the
// same stream. Compiled by nvcc with -std=c++20.
// Prints the device, and the sum and the largest of the squares of 0 to 9,999. Where there is no GPU it does the same
// with a thrust::host_vector.
#include <cstdint>
#include <cstdio>
#include <exception>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <upsweep/upsweep.hpp>

struct Square {
  __host__ __device__ std::int64_t operator()(std::int64_t x) const { return x * x; }
};

template <typename Vector>
bool sum_of_squares(upsweep::Context& context) {
  Vector squares(10'000);
  thrust::sequence(squares.begin(), squares.end());
  thrust::transform(squares.begin(), squares.end(), squares.begin(), Square());

  Vector sums(squares.size());
  Vector largest(1);
  const std::int64_t* const in = thrust::raw_pointer_cast(squares.data());
  context.inclusive_scan(in, thrust::raw_pointer_cast(sums.data()), squares.size());
  context.reduce(in, thrust::raw_pointer_cast(largest.data()), squares.size(), upsweep::maximum);

  const std::int64_t sum = sums.back();  // copies to the host, after the work in the default stream
  const std::int64_t highest = largest[0];
  std::printf("sum: %lld\nlargest: %lld\n", static_cast<long long>(sum), static_cast<long long>(highest));
  return sum == 333'283'335'000 && highest == 99'980'001;
}

int main() try {
  upsweep::Context context;
  std::printf("device: %s\n", context.device().c_str());
  const bool on_gpu = context.device() != "host";
  const bool correct = on_gpu ? sum_of_squares<thrust::device_vector<std::int64_t>>(context)
                              : sum_of_squares<thrust::host_vector<std::int64_t>>(context);
  return correct ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
