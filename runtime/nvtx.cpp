#include "runtime/nvtx.hpp"

#include <nvtx3/nvToolsExt.h>

#include <optional>
#include <string>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/environment.hpp"

namespace upsweep::runtime {
namespace {

// The profiler owns it, until the process ends.
nvtxDomainHandle_t domain() {
  static nvtxDomainHandle_t const handle = nvtxDomainCreateA("upsweep");
  return handle;
}

}  // namespace

bool nvtx_is_asked_for() {
  const std::optional<std::string> value = base::environment("UPSWEEP_NVTX");
  if (!value || *value == "0") return false;
  if (*value == "1") return true;
  throw UsageError(fmt::format("UPSWEEP_NVTX is '{}': use 1 for NVTX ranges around calls, or 0", *value));
}

void NvtxRange::push(const char* name, std::uint64_t items) noexcept {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  attributes.payload.ullValue = items;
  nvtxDomainRangePushEx(domain(), &attributes);
}

void NvtxRange::pop() noexcept {
  nvtxDomainRangePop(domain());
}

}  // namespace upsweep::runtime
