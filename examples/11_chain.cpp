// Calls that follow each other without the host: the wet days of daily rain at Seattle are selected, and their number,
// which the host does not read, is the number of items of the calls after it.
// Prints the device, the sum of the wet days, the greatest of them, and the first three of them. The argument is the
// path of seattle_rain.csv, by default in the current folder.
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

// Tenths of a millimetre.
std::vector<std::int32_t> read_rain(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) {
    throw std::runtime_error("cannot read " + path + ": pass the path of seattle_rain.csv");
  }
  std::vector<std::int32_t> rain;
  int amount = 0;
  while (std::getline(file, line)) {
    if (std::sscanf(line.c_str(), "%*[^,],%d", &amount) != 1) throw std::runtime_error("no date and rain: " + line);
    rain.push_back(amount);
  }
  return rain;
}

constexpr std::int32_t wet = 200;        // 20 mm
constexpr std::uint64_t first_days = 3;  // that there is room for

struct Summary {
  std::int64_t sum = 0;
  std::int32_t greatest = 0;
  std::vector<std::int32_t> first;
  bool operator==(const Summary&) const = default;
};

// By a loop on the host.
Summary expected_of(const std::vector<std::int32_t>& rain) {
  Summary expected;
  for (const std::int32_t amount : rain) {
    if (amount < wet) continue;
    expected.sum += amount;
    expected.greatest = std::max(expected.greatest, amount);
    if (expected.first.size() < first_days) expected.first.push_back(amount);
  }
  return expected;
}

}  // namespace

int main(int argc, char** argv) try {
  upsweep::Context context;
  std::printf("device: %s\n", context.device().c_str());
  const std::vector<std::int32_t> days = read_rain(argc > 1 ? argv[1] : "seattle_rain.csv");
  const std::size_t n = days.size();
  DeviceArray<std::int32_t> rain(context, n), wet_rain(context, n), greatest(context, 1), first(context, first_days);
  DeviceArray<std::int64_t> sum(context, 1);
  DeviceArray<std::uint64_t> wet_days(context, 1), again(context, 1);
  rain.copy_from(days);

  // How many days are wet, only the device knows: there are at most n.
  context.select_if(rain.data(), wet_rain.data(), wet_days.data(), n, upsweep::greater_equal, wet);
  context.reduce(wet_rain.data(), sum.data(), upsweep::items_in_memory(wet_days.data(), n), upsweep::plus);
  context.reduce(wet_rain.data(), greatest.data(), upsweep::items_in_memory(wet_days.data(), n), upsweep::maximum);
  // There is room for three days, and the count is that of all.
  context.select_if(rain.data(), first.data(), again.data(), upsweep::Items(n).capacity(first_days),
                    upsweep::greater_equal, wet);

  const Summary found{sum.values()[0], greatest.values()[0], first.values()};
  std::printf("rain of the wet days: %.1f mm, at most %.1f mm a day\n", static_cast<double>(found.sum) / 10,
              found.greatest / 10.0);
  for (const std::int32_t amount : found.first) std::printf("%.1f mm\n", amount / 10.0);
  const bool right = found == expected_of(days) && again.values() == wet_days.values();
  std::printf("%llu wet days: %s\n", static_cast<unsigned long long>(again.values()[0]), right ? "right" : "WRONG");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
