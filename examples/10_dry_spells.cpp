// Run-length encoding of daily rain at Seattle: a dry spell is a run of days with an amount of 0.
// Prints the device and the dry spells of at least two weeks. The argument is the path of seattle_rain.csv, by default
// in the current folder.
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
  std::vector<std::string> dates;
  std::vector<std::int32_t> rain;  // tenths of a millimetre
};

Days read_days(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) {
    throw std::runtime_error("cannot read " + path + ": pass the path of seattle_rain.csv");
  }
  Days days;
  while (std::getline(file, line)) {
    const std::size_t comma = line.find(',');
    if (comma == std::string::npos) throw std::runtime_error("no date and rain: " + line);
    days.dates.push_back(line.substr(0, comma));
    days.rain.push_back(std::stoi(line.substr(comma + 1)));
  }
  return days;
}

struct Spells {
  std::vector<std::uint32_t> starts;  // the number of the first day of each
  std::vector<std::uint32_t> lengths;
  bool operator==(const Spells&) const = default;
};

// By a loop on the host.
Spells expected_of(const Days& days) {
  Spells spells;
  for (std::size_t i = 0; i < days.rain.size(); ++i) {
    if (days.rain[i] != 0) continue;
    if (i == 0 || days.rain[i - 1] != 0) {
      spells.starts.push_back(static_cast<std::uint32_t>(i));
      spells.lengths.push_back(0);
    }
    ++spells.lengths.back();
  }
  return spells;
}

Spells dry_spells(upsweep::Context& context, const Days& days) {
  const std::size_t n = days.rain.size();
  DeviceArray<std::int32_t> rain(context, n), amounts(context, n);
  DeviceArray<std::uint32_t> lengths(context, n), starts(context, n), dry_starts(context, n), dry_lengths(context, n);
  DeviceArray<std::uint64_t> count(context, 1);
  rain.copy_from(days.rain);

  // Each run of equal amounts, and the number of its days. A run starts where the runs before it end.
  context.run_length_encode(rain.data(), amounts.data(), lengths.data(), count.data(), n);
  const std::uint64_t runs = count.values()[0];
  context.exclusive_scan(lengths.data(), starts.data(), runs);
  // Of these, the runs with an amount of 0: there the amounts are the flags.
  context.select_flagged(starts.data(), amounts.data(), dry_starts.data(), count.data(), runs, upsweep::equal_to, 0);
  context.select_flagged(lengths.data(), amounts.data(), dry_lengths.data(), count.data(), runs, upsweep::equal_to, 0);

  Spells spells{dry_starts.values(), dry_lengths.values()};
  spells.starts.resize(count.values()[0]);
  spells.lengths.resize(count.values()[0]);
  return spells;
}

}  // namespace

int main(int argc, char** argv) try {
  upsweep::Context context;
  std::printf("device: %s\n", context.device().c_str());
  const Days days = read_days(argc > 1 ? argv[1] : "seattle_rain.csv");
  const Spells spells = dry_spells(context, days);
  for (std::size_t i = 0; i < spells.starts.size(); ++i) {
    if (spells.lengths[i] < 14) continue;
    std::printf("%u dry days from %s on\n", spells.lengths[i], days.dates[spells.starts[i]].c_str());
  }
  const bool right = spells == expected_of(days);
  std::printf("%zu dry spells: %s\n", spells.starts.size(), right ? "right" : "WRONG");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
