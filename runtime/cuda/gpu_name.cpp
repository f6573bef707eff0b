#include "runtime/cuda/gpu_name.hpp"

#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::runtime {
namespace {

// All of the text, in digits; more than an int holds is the most that it does.
std::optional<int> digits_of(std::string_view text) {
  int value = 0;
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (stop != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc::result_out_of_range ? std::numeric_limits<int>::max() : value;
}

// What stands behind the '/'.
Part part_named(const std::string& name, std::string_view text) {
  const std::size_t at = text.find('#');
  const std::optional<int> multiprocessors = digits_of(text.substr(0, at));
  const std::optional<int> number = at == text.npos ? 0 : digits_of(text.substr(at + 1));
  if (!multiprocessors || !number) {
    throw UsageError(fmt::format(
        "'{}' does not name a part of a GPU: write the number of multiprocessors behind the '/', as in cuda:0/16, or "
        "cuda:0/16#1 for the second part of that size",
        name));
  }
  if (*multiprocessors == 0) {
    throw UsageError(
        fmt::format("'{}' has no multiprocessors: use one of the numbers that `upsweep devices` shows", name));
  }
  return {*multiprocessors, *number};
}

}  // namespace

std::string to_string(const Part& part) {
  return part.number == 0 ? fmt::format("/{}", part.multiprocessors)
                          : fmt::format("/{}#{}", part.multiprocessors, part.number);
}

std::optional<GpuName> gpu_named(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::string_view device = std::string_view(text).substr(0, slash);
  if (slash != text.npos && (device == "host" || device == "auto")) {
    throw UsageError(
        fmt::format("'{}' does not name a device: only GPUs have parts; name the GPU, as in cuda:0/16", text));
  }
  GpuName name;
  if (device.starts_with("cuda:")) {
    name.ordinal = digits_of(device.substr(5));
    if (!name.ordinal) return std::nullopt;
  } else if (device != "cuda") {
    return std::nullopt;
  }
  if (slash != text.npos) name.part = part_named(text, std::string_view(text).substr(slash + 1));
  return name;
}

}  // namespace upsweep::runtime
