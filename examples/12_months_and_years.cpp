// Segments, rows and axes on daily rain at Seattle: the rain since the start of each month and each month's total
// (segments of 28 to 31 days), since the start of each year (two rows of 365 days), and both years' days together (an
// axis that is not the last one).
// Prints the device, the months and the wettest days of the year. The argument is the path of seattle_rain.csv, by
// default in the current folder.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_array.hpp"

namespace {

constexpr std::size_t years = 2, days_of_year = 365;

struct Days {
  std::vector<std::int32_t> rain;      // tenths of a millimetre; 29 February is left out
  std::vector<std::uint32_t> offsets;  // where each month begins, and behind the last one
};

Days read_days(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line))
    throw std::runtime_error("cannot read " + path + ": pass the path of seattle_rain.csv");
  Days days;
  unsigned year = 0, month = 0, day = 0, month_before = 0;
  int rain = 0;
  while (std::getline(file, line)) {
    if (std::sscanf(line.c_str(), "%u-%u-%u,%d", &year, &month, &day, &rain) != 4) {
      throw std::runtime_error("no date and rain: " + line);
    }
    if (month == 2 && day == 29) continue;
    if (month != month_before) days.offsets.push_back(static_cast<std::uint32_t>(days.rain.size()));
    month_before = month;
    days.rain.push_back(rain);
  }
  days.offsets.push_back(static_cast<std::uint32_t>(days.rain.size()));
  if (days.rain.size() != years * days_of_year) throw std::runtime_error(path + " does not hold two years");
  return days;
}

struct Summary {
  std::vector<std::int32_t> in_month;  // rain since the start of the month, on each day
  std::vector<std::int32_t> months;    // totals
  std::vector<std::int32_t> in_year;   // rain since the start of the year, on each day
  std::vector<std::int32_t> of_days;   // the greater of both years' rain, on each day of the year
  bool operator==(const Summary&) const = default;
};

// By a loop on the host.
Summary expected_of(const Days& days) {
  Summary expected;
  for (std::size_t month = 0; month + 1 < days.offsets.size(); ++month) {
    std::int32_t total = 0;
    for (std::size_t i = days.offsets[month]; i < days.offsets[month + 1]; ++i) {
      expected.in_month.push_back(total += days.rain[i]);
    }
    expected.months.push_back(total);
  }
  std::int32_t since = 0;
  for (std::size_t i = 0; i < days.rain.size(); ++i) {
    since = (i % days_of_year == 0 ? 0 : since) + days.rain[i];
    expected.in_year.push_back(since);
  }
  for (std::size_t day = 0; day < days_of_year; ++day) {
    expected.of_days.push_back(std::max(days.rain[day], days.rain[day + days_of_year]));
  }
  return expected;
}

}  // namespace

int main(int argc, char** argv) try {
  upsweep::Context context;
  std::printf("device: %s\n", context.device().c_str());
  const Days days = read_days(argc > 1 ? argv[1] : "seattle_rain.csv");
  const std::size_t n = days.rain.size(), month_count = days.offsets.size() - 1;
  DeviceArray<std::int32_t> rain(context, n), in_month(context, n), in_year(context, n);
  DeviceArray<std::int32_t> months(context, month_count), of_days(context, days_of_year);
  DeviceArray<std::uint32_t> offsets(context, days.offsets.size());
  rain.copy_from(days.rain);
  offsets.copy_from(days.offsets);

  // Months have 28 to 31 days: offsets in device memory say where each one begins.
  const upsweep::Segments each_month = upsweep::segments(offsets.data(), month_count, n);
  context.inclusive_scan(rain.data(), in_month.data(), each_month);
  context.reduce(rain.data(), months.data(), each_month);
  // Years have as many days each: they are rows.
  context.inclusive_scan(rain.data(), in_year.data(), upsweep::rows(years, days_of_year));
  // The same day of all years: an item of each row. The array's extents are 2 x 365, and this is along the first axis.
  context.reduce(rain.data(), of_days.data(), upsweep::axis(1, years, days_of_year), upsweep::maximum);

  const Summary found{in_month.values(), months.values(), in_year.values(), of_days.values()};
  for (std::size_t i = 0; i < month_count; ++i) {
    std::printf("%zu-%02zu: %.1f mm\n", 2012 + i / 12, i % 12 + 1, found.months[i] / 10.0);
  }
  for (std::size_t year = 0; year < years; ++year) {
    std::printf("%zu: %.1f mm\n", 2012 + year, found.in_year[(year + 1) * days_of_year - 1] / 10.0);
  }
  std::printf("the wettest day of the year: %.1f mm\n",
              *std::max_element(found.of_days.begin(), found.of_days.end()) / 10.0);
  const bool right = found == expected_of(days);
  std::printf("%zu months, %zu years: %s\n", month_count, years, right ? "right" : "WRONG");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
