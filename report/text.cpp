#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

namespace upsweep::report {

std::string time_text(double us) {
  if (us < 1) return fmt::format("{:.0f} ns", us * 1e3);
  if (us < 1e3) return fmt::format("{:.4g} µs", us);
  if (us < 1e6) return fmt::format("{:.4g} ms", us / 1e3);
  return fmt::format("{:.4g} s", us / 1e6);
}

std::string throughput_text(double gigabytes_per_second) {
  return rate_text(gigabytes_per_second) + " GB/s";
}

std::string rate_text(double gigabytes_per_second) {
  return gigabytes_per_second < 100 ? fmt::format("{:.3g}", gigabytes_per_second)
                                    : fmt::format("{:.0f}", gigabytes_per_second);
}

std::string factor_text(std::optional<double> factor) {
  return factor ? fmt::format("{:.2f}×", *factor) : "–";
}

std::string size_text(std::uint64_t size) {
  constexpr std::array<const char*, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (!std::has_single_bit(size)) return fmt::format("{}", size);
  std::string text = "2";
  for (const char digit : std::to_string(std::countr_zero(size))) text += raised[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::string date_text(const std::string& at) {
  std::string text = at.substr(0, 16);
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::string environment_text(const Environment& environment) {
  return fmt::format("{}{}, upsweep {}", environment.driver.empty() ? "" : "driver " + environment.driver + ", ",
                     environment.compiler, environment.generator);
}

std::string words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string distinct_name(const DeviceIdentity& device, std::span<const DeviceIdentity> all) {
  if (std::ranges::count(all, device.name, &DeviceIdentity::name) < 2 || device.multiprocessors == 0)
    return device.name;
  return fmt::format("{}, {} multiprocessors", device.name, device.multiprocessors);
}

std::string types_text(const Problem& problem) {
  const std::string prefix = fmt::format("{} {} ", name(problem.algorithm), name(problem.op));
  const std::string text = to_string(problem);
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

std::string heading(const Problem& problem) {
  return fmt::format("{}, {}, {}", words(std::string(name(problem.algorithm))), words(std::string(name(problem.op))),
                     types_text(problem));
}

}  // namespace upsweep::report
