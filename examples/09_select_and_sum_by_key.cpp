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
  constexpr std::int32_t wet = 200;
  context.select_if(rain.data(), wet_rain.data(), count.data(), n, upsweep::greater_equal, wet);
  context.select_flagged(dates.data(), rain.data(), wet_dates.data(), count.data(), n, upsweep::greater_equal, wet);
  // The days of a month stand together, so each month is one run of equal keys.
  context.reduce_by_key(months.data(), rain.data(), each_month.data(), totals.data(), month_count.data(), n);

  const std::vector<std::uint32_t> found_dates = first_of(wet_dates, count),
                                   found_months = first_of(each_month, month_count);
  const std::vector<std::int32_t> found_rain = first_of(wet_rain, count);
  const std::vector<std::int64_t> found_totals = first_of(totals, month_count);
  for (std::size_t i = 0; i < found_dates.size(); ++i) {
    std::printf("%u: %.1f mm\n", found_dates[i], found_rain[i] / 10.0);
  }
  for (std::size_t i = 0; i < found_months.size(); ++i) {
    std::printf("%u: %.1f mm\n", found_months[i], static_cast<double>(found_totals[i]) / 10);
  }

  std::vector<std::uint32_t> expected_dates, expected_months;
  std::vector<std::int32_t> expected_rain;
  std::vector<std::int64_t> expected_totals;
  for (std::size_t i = 0; i < n; ++i) {
    if (days.rain[i] >= wet) {
      expected_dates.push_back(days.dates[i]);
      expected_rain.push_back(days.rain[i]);
    }
    if (i == 0 || days.months[i] != days.months[i - 1]) {
      expected_months.push_back(days.months[i]);
      expected_totals.push_back(0);
    }
    expected_totals.back() += days.rain[i];
  }
  const bool right = found_dates == expected_dates && found_rain == expected_rain && found_months == expected_months &&
                     found_totals == expected_totals;
  std::printf("%zu days of at least 20 mm, %zu months: %s\n", found_dates.size(), found_months.size(),
              right ? "right" : "WRONG");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
