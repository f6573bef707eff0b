// Stands where a profiler does, which NVTX loads because NVTX_INJECTION64_PATH names it: prints what it is told.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <string>

namespace {

struct Domain {
  std::string name;
};
Domain domain;

nvtxDomainHandle_t NVTX_API create(const char* name) {
  domain.name = name;
  return reinterpret_cast<nvtxDomainHandle_t>(&domain);
}

const char* name_of(nvtxDomainHandle_t handle) {
  return reinterpret_cast<const Domain*>(handle)->name.c_str();
}

int NVTX_API push(nvtxDomainHandle_t handle, const nvtxEventAttributes_t* attributes) {
  std::printf("push %s '%s' %llu\n", name_of(handle), attributes->message.ascii,
              static_cast<unsigned long long>(attributes->payload.ullValue));
  std::fflush(stdout);
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t handle) {
  std::printf("pop %s\n", name_of(handle));
  std::fflush(stdout);
  return 0;
}

}  // namespace

extern "C" int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table) {
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned int size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(&create);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
  return 1;
}
