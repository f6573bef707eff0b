// What to say where the system starts no more threads.
#pragma once

#include <string>
#include <system_error>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::tuner {

// what: "to compile in".
[[nodiscard]] inline DeviceError no_thread(const std::string& what, const std::system_error& error) {
  return DeviceError(fmt::format(
      "cannot start a thread {} ({}): end other processes, or raise the limit of this user or container (ulimit -u)",
      what, error.code().message()));
}

}  // namespace upsweep::tuner
