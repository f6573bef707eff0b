// Selections and a reduction by key on daily rain at Seattle: the days with at least 20 mm, their amounts, and the rain
// of each month.
// Prints the device, the wet days and the months. The argument is the path of seattle_rain.csv, by default in the
// current folder.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_array.hpp"

namespace {

struct Days {
  std::vector<std::uint32_t> dates;   // 20120131
  std::vector<std::uint32_t> months;  // 201201
  std::vector<std::int32_t> rain;     // tenths of a millimetre
};

Days read_days(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line))
    throw std::runtime_error("cannot read " + path + ": pass the path of seattle_rain.csv");
  Days days;
  unsigned year = 0, month = 0, day = 0;
  int rain = 0;
  while (std::getline(file, line)) {
    if (std::sscanf(line.c_str(), "%u-%u-%u,%d", &year, &month, &day, &rain) != 4) {
      throw std::runtime_error("no date and rain: " + line);
    }
    days.dates.push_back(year * 10000 + month * 100 + day);
    days.months.push_back(year * 100 + month);
    days.rain.push_back(rain);
  }
  return days;
}

constexpr std::int32_t wet = 200;  // 20 mm

struct Summary {
  std::vector<std::uint32_t> dates;  // of the wet days
  std::vector<std::int32_t> rain;    // of the wet days
  std::vector<std::uint32_t> months;
  std::vector<std::int64_t> totals;  // of the months
  bool operator==(const Summary&) const = default;
};

// By a loop on the host.
Summary expected_of(const Days& days) {
  Summary expected;
  for (std::size_t i = 0; i < days.rain.size(); ++i) {
    if (days.rain[i] >= wet) {
      expected.dates.push_back(days.dates[i]);
      expected.rain.push_back(days.rain[i]);
    }
    if (i == 0 || days.months[i] != days.months[i - 1]) {
      expected.months.push_back(days.months[i]);
      expected.totals.push_back(0);
    }
    expected.totals.back() += days.rain[i];
  }
  return expected;
}

// The first items of an array on the device, of which a call wrote as many as its count says.
template <typename T>
std::vector<T> first_of(const DeviceArray<T>& array, const DeviceArray<std::uint64_t>& count) {
  std::vector<T> items = array.values();
  items.resize(count.values()[0]);
  return items;
}

}  // namespace

int main(int argc, char** argv) try {
  upsweep::Context context;
  std::printf("device: %s\n", context.device().c_str());
  const Days days = read_days(argc > 1 ? argv[1] : "seattle_rain.csv");
  const std::size_t n = days.rain.size();
  DeviceArray<std::uint32_t> dates(context, n), months(context, n), wet_dates(context, n), each_month(context, n);
  DeviceArray<std::int32_t> rain(context, n), wet_rain(context, n);
  DeviceArray<std::int64_t> totals(context, n);
  DeviceArray<std::uint64_t> count(context, 1), month_count(context, 1);
  dates.copy_from(days.dates);
  months.copy_from(days.months);
  rain.copy_from(days.rain);

  // The amounts of at least 20 mm, and the dates of these days: there the amounts are the flags.
  context.select_if(rain.data(), wet_rain.data(), count.data(), n, upsweep::greater_equal, wet);
  context.select_flagged(dates.data(), rain.data(), wet_dates.data(), count.data(), n, upsweep::greater_equal, wet);
  // The days of a month stand together, so each month is one run of equal keys.
  context.reduce_by_key(months.data(), rain.data(), each_month.data(), totals.data(), month_count.data(), n);

  const Summary found{first_of(wet_dates, count), first_of(wet_rain, count), first_of(each_month, month_count),
                      first_of(totals, month_count)};
  for (std::size_t i = 0; i < found.dates.size(); ++i) {
    std::printf("%u: %.1f mm\n", found.dates[i], found.rain[i] / 10.0);
  }
  for (std::size_t i = 0; i < found.months.size(); ++i) {
    std::printf("%u: %.1f mm\n", found.months[i], static_cast<double>(found.totals[i]) / 10);
  }
  const bool right = found == expected_of(days);
  std::printf("%zu days of at least 20 mm, %zu months: %s\n", found.dates.size(), found.months.size(),
              right ? "right" : "WRONG");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
