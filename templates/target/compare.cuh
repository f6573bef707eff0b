// Whether two arrays of 16-byte words are the same: the tuner's check of candidates, on CUDA only. Sets *differs where
// they are not.
extern "C" __global__ void upsweep_compare(const uint4* a, const uint4* b, unsigned long long words,
                                           unsigned int* differs) {
  const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) {
    const uint4 x = a[i], y = b[i];
    if (x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w) *differs = 1;
  }
}
