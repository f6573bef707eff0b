#include "runtime/cuda/green_context.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::runtime {
namespace {

[[noreturn]] void refuse_driver(const std::string& gpu) {
  throw DeviceError(
      fmt::format("parts of {0} need green contexts, which the driver does not have: install a driver for CUDA 12.4 or "
                  "newer, or use all of {0}",
                  gpu));
}

void check_green(const Driver& driver, CUresult result, const std::string& gpu) {
  if (result == CUDA_ERROR_NOT_SUPPORTED) {
    throw DeviceError(fmt::format(
        "parts of {0} need green contexts, which this GPU or its driver does not support: use all of {0}", gpu));
  }
  driver.check(result, "making a part of " + gpu);
}

DeviceResource all_multiprocessors(const Driver& driver, CUdevice device, const std::string& gpu) {
  if (driver.cuDeviceGetDevResource == nullptr || driver.cuDevSmResourceSplitByCount == nullptr ||
      driver.cuDevResourceGenerateDesc == nullptr || driver.cuGreenCtxCreate == nullptr ||
      driver.cuGreenCtxDestroy == nullptr || driver.cuGreenCtxStreamCreate == nullptr) {
    refuse_driver(gpu);
  }
  DeviceResource all;
  check_green(driver, driver.cuDeviceGetDevResource(device, &all, multiprocessor_resource), gpu);
  return all;
}

// Drivers before CUDA 13.0 do not tell: by compute capability, as their documentation has it.
void set_steps(const Driver& driver, CUdevice device, const DeviceResource& all, PartSizes& sizes) {
  int major = 0;
  driver.check(driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
               "reading the compute capability");
  const int usual_least = major >= 9 ? 8 : major == 8 ? 4 : 2, usual_step = major >= 9 ? 8 : 2;
  sizes.step = all.step > 0 ? static_cast<int>(all.step) : usual_step;
  const int least = all.least > 0 ? static_cast<int>(all.least) : usual_least;
  sizes.least = (least + sizes.step - 1) / sizes.step * sizes.step;
}

// The parts of so many multiprocessors, `most` at most; none where the driver would round the number up.
std::vector<DeviceResource> parts_of_size(const Driver& driver, const DeviceResource& all, int multiprocessors,
                                          unsigned most) {
  const auto asked = static_cast<unsigned>(multiprocessors);
  unsigned count = 0;
  if (driver.cuDevSmResourceSplitByCount(nullptr, &count, &all, nullptr, 0, asked) != CUDA_SUCCESS) return {};
  count = std::min(count, most);
  std::vector<DeviceResource> parts(count);
  if (count == 0 || driver.cuDevSmResourceSplitByCount(parts.data(), &count, &all, nullptr, 0, asked) != CUDA_SUCCESS) {
    return {};
  }
  parts.resize(std::min<std::size_t>(count, parts.size()));
  const bool exact = std::all_of(parts.begin(), parts.end(),
                                 [&](const DeviceResource& part) { return part.multiprocessors == asked; });
  return exact ? parts : std::vector<DeviceResource>{};
}

PartSizes measured_sizes(const Driver& driver, CUdevice device, const DeviceResource& all) {
  PartSizes sizes{.all = static_cast<int>(all.multiprocessors)};
  set_steps(driver, device, all, sizes);
  for (int size = sizes.all / sizes.step * sizes.step; size >= sizes.least && sizes.most == 0; size -= sizes.step) {
    if (!parts_of_size(driver, all, size, 1).empty()) sizes.most = size;
  }
  return sizes;
}

// The sizes on both sides of one that cannot be had: "cuda:0/16 or cuda:0/24".
std::string neighbours(const std::string& gpu, int asked, const PartSizes& sizes) {
  if (asked <= sizes.least) return fmt::format("{}/{}", gpu, sizes.least);
  if (asked >= sizes.most) return fmt::format("{0}/{1}, or {0} for all {2}", gpu, sizes.most, sizes.all);
  const int below = (asked - 1) / sizes.step * sizes.step, above = asked / sizes.step * sizes.step + sizes.step;
  return fmt::format("{0}/{1} or {0}/{2}", gpu, below, above);
}

[[noreturn]] void refuse_part(const std::string& gpu, const Part& part, const PartSizes& sizes) {
  if (sizes.most == 0) {
    throw UsageError(fmt::format("{0} has {1} multiprocessors, and the driver makes no parts of it: use all of {0}",
                                 gpu, sizes.all));
  }
  throw UsageError(
      fmt::format("{0}{1} cannot be had: {0} has {2} multiprocessors, and parts of it have {3} to {4} in steps of {5}; "
                  "use {6}",
                  gpu, to_string(part), sizes.all, sizes.least, sizes.most, sizes.step,
                  neighbours(gpu, part.multiprocessors, sizes)));
}

DeviceResource find_part(const Driver& driver, CUdevice device, const std::string& gpu, const Part& part) {
  const DeviceResource all = all_multiprocessors(driver, device, gpu);
  const PartSizes sizes = measured_sizes(driver, device, all);
  const int asked = part.multiprocessors;
  const bool fits = asked >= sizes.least && asked <= sizes.most && asked % sizes.step == 0;
  std::vector<DeviceResource> parts;
  if (fits) parts = parts_of_size(driver, all, asked, all.multiprocessors);
  if (parts.empty()) refuse_part(gpu, part, sizes);
  if (static_cast<std::size_t>(part.number) < parts.size()) return parts[static_cast<std::size_t>(part.number)];
  throw UsageError(
      fmt::format("{0}{1} does not exist: {0} has {2} parts of {3} multiprocessors, {0}/{3}#0 to {0}/{3}#{4}", gpu,
                  to_string(part), parts.size(), asked, parts.size() - 1));
}

}  // namespace

PartSizes part_sizes(const Driver& driver, CUdevice device, const std::string& gpu) {
  return measured_sizes(driver, device, all_multiprocessors(driver, device, gpu));
}

GreenPart::GreenPart(const Driver& driver, CUdevice device, const std::string& gpu, const Part& part)
    : driver_(driver), part_(part) {
  DeviceResource resource = find_part(driver, device, gpu, part);
  DeviceResourceDescription description = nullptr;
  check_green(driver, driver.cuDevResourceGenerateDesc(&description, &resource, 1), gpu);
  check_green(driver, driver.cuGreenCtxCreate(&context_, description, device, green_default_stream), gpu);
  const CUresult made = driver.cuGreenCtxStreamCreate(&default_stream_, context_, CU_STREAM_NON_BLOCKING, 0);
  if (made != CUDA_SUCCESS) driver.cuGreenCtxDestroy(context_);
  check_green(driver, made, gpu);
}

GreenPart::~GreenPart() {
  driver_.cuStreamSynchronize(default_stream_);  // what it runs needs its context
  driver_.cuStreamDestroy_v2(default_stream_);
  driver_.cuGreenCtxDestroy(context_);
}

CUstream GreenPart::create_stream() {
  CUstream stream = nullptr;
  driver_.check(driver_.cuGreenCtxStreamCreate(&stream, context_, CU_STREAM_NON_BLOCKING, 0), "making a CUDA stream");
  return stream;
}

}  // namespace upsweep::runtime
