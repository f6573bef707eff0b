#include "tests/runtime/cuda/fake_libcuda.hpp"

namespace {

bool allows_large_clusters(const FakeCuda& fake) {
  for (const auto& [attribute, value] : fake.function_attributes) {
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED && value == 1) return true;
  }
  return false;
}

}  // namespace

CUresult fake_read_attributes(const FakeCuda& fake, const CUlaunchConfig& config, FakeLaunch& launch) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& each = config.attrs[i];
    switch (each.id) {
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        launch.cluster_blocks = each.value.clusterDim.x;
        if (each.value.clusterDim.y != 1 || each.value.clusterDim.z != 1) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        if (config.gridDimX % launch.cluster_blocks != 0) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        if (launch.cluster_blocks > 8 && !allows_large_clusters(fake)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        break;
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        launch.cooperative = each.value.cooperative == 1;
        if (config.gridDimX > fake.resident_blocks) return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        launch.dependent = each.value.programmaticStreamSerializationAllowed == 1;
        // Before CUDA 12.3 a graph had no edges for it.
        if (fake.version < 12030 && fake.captures.count(config.hStream) != 0) {
          return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
        break;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}
