// Writes the figures of the report as text: times, throughputs, factors and sizes.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

namespace upsweep::report {

[[nodiscard]] std::string time_text(double us);                          // "12.3 µs"
[[nodiscard]] std::string throughput_text(double gigabytes_per_second);  // "3842 GB/s"
[[nodiscard]] std::string rate_text(double gigabytes_per_second);        // "3842"
[[nodiscard]] std::string factor_text(std::optional<double> factor);     // "1.42×", or "–" without one
[[nodiscard]] std::string size_text(std::uint64_t size);                 // "2²⁰", "1000001"
[[nodiscard]] std::string date_text(const std::string& at);              // "2026-11-21 06:58" of a Trial::measured_at
[[nodiscard]] std::string environment_text(const Environment& environment);
// What distinguishes a problem from others of its algorithm and operator: "i32", "i32 in i64".
[[nodiscard]] std::string types_text(const Problem& problem);
// "inclusive scan, plus, i32"
[[nodiscard]] std::string heading(const Problem& problem);
[[nodiscard]] std::string words(std::string name);  // underscores become spaces
// The device's name, and its multiprocessors where others have that name too: parts of a GPU.
[[nodiscard]] std::string distinct_name(const DeviceIdentity& device, std::span<const DeviceIdentity> all);

}  // namespace upsweep::report
