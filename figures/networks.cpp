// Depth and size of the scan networks: by their closed forms, and counted in a run on the host device.
#include <algorithm>
#include <chrono>
#include <iterator>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "figures/drawings.hpp"
#include "tuner/network_run.hpp"

namespace upsweep::figures {
namespace {

// Where it takes so few.
int counted_places(const ScanNetwork& network) {
  return std::max(16, network.least);
}

constexpr int most_warp_places = 32;

Drawing draw_networks(const Setting& setting) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<CountedNetwork> networks;
  std::vector<std::string> notes;
  for (const ScanNetwork& network : scan_networks()) {
    base::throw_if_cancelled();
    networks.push_back({&network});
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    if (!notes.empty()) continue;
    if (networks.size() > 1 && taken.count() > setting.budget_us) {
      notes.push_back(fmt::format("The time ran out before {} was counted: give more with --budget.", network.name));
      continue;
    }
    setting.progress(std::string(network.name));
    try {
      const tuner::NetworkRun run = tuner::record_network(network.name, counted_places(network));
      networks.back().counted = {{run.depth, run.size}};
    } catch (const CompilerError& error) {
      notes.push_back(fmt::format("Nothing is counted: {}", error.what()));
    }
  }
  Drawing drawing = networks_drawing(networks);
  std::ranges::move(notes, std::back_inserter(drawing.notes));
  return drawing;
}

// A line for each network that the range of places belongs to.
report::Chart chart_of(std::span<const CountedNetwork> networks, bool of_warp, bool is_size) {
  report::Chart chart;
  const char* const what = is_size ? "Size" : "Depth";
  chart.title = fmt::format("{} of the networks of a {}", what, of_warp ? "warp" : "block");
  chart.x_label = of_warp ? "lanes" : "threads, one value each";
  chart.y_label = is_size ? "operator calls" : "operator calls on the longest path";
  chart.y_logarithmic = is_size || !of_warp;
  chart.label_width = 170;
  for (const CountedNetwork& each : networks) {
    const ScanNetwork& network = *each.network;
    if (of_warp ? !network.is_warp_scan : !network.is_block_scan) continue;
    const auto first = static_cast<std::uint64_t>(of_warp ? std::max(network.least, 2) : most_warp_places);
    const std::uint64_t last = of_warp ? most_warp_places : network.most();
    report::Series series{line_style(chart.series.size()), std::string(network.name), {}, false, {}, 0, 0, ""};
    for (std::uint64_t n = first; n <= last; n *= 2) {
      const std::uint64_t value = is_size ? network.size(n) : network.depth(n);
      const std::string at = fmt::format("{} {}", n, of_warp ? "lanes" : "threads");
      series.marks.push_back(
          {static_cast<double>(n), static_cast<double>(value), at, fmt::format("{}, {}: {}", network.name, at, value)});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string at(const ScanNetwork& network, ScanNetwork::Count form, std::uint64_t n, bool is_there) {
  return is_there && n >= static_cast<std::uint64_t>(network.least) ? fmt::format("{}", form(n)) : "–";
}

Table table_of(std::span<const CountedNetwork> networks) {
  constexpr std::uint64_t warp = 32, block = 256;
  Table table{"Depth and size: counted on the host device, and by formula for a warp and a block of 256",
              {"network", "counted for", "depth", "size", "depth, 32", "size, 32", "depth, 256", "size, 256", "source"},
              {}};
  for (const CountedNetwork& each : networks) {
    const ScanNetwork& network = *each.network;
    table.rows.push_back({std::string(network.name), fmt::format("{}", counted_places(network)),
                          each.counted ? fmt::format("{}", each.counted->depth) : "–",
                          each.counted ? fmt::format("{}", each.counted->size) : "–",
                          at(network, network.depth, warp, true), at(network, network.size, warp, true),
                          at(network, network.depth, block, network.is_block_scan),
                          at(network, network.size, block, network.is_block_scan), std::string(network.source)});
  }
  return table;
}

}  // namespace

Drawing networks_drawing(std::span<const CountedNetwork> networks) {
  Drawing drawing;
  for (const bool of_warp : {true, false}) {
    for (const bool is_size : {false, true}) drawing.charts.push_back(chart_of(networks, of_warp, is_size));
  }
  drawing.tables.push_back(table_of(networks));
  return drawing;
}

const Figure& networks_figure() {
  static const Figure figure{
      "networks",
      "Depth and size of the scan networks",
      "How many operator calls each network makes (size), and how many of them lie on the longest path from a value to "
      "a "
      "result (depth), in a warp of up to 32 lanes and in a block of up to 1024 threads. `upsweep emit --network` "
      "draws "
      "each of them.",
      "Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled Look-back\", NVIDIA Technical Report "
      "NVR-2016-002, 2016, figure 1; the networks' own sources are in the table",
      "The curves are closed forms, which tests compare with runs. For 16 values, or as few as it takes, each "
      "network's "
      "template runs on the host device with an operator that counts its calls.",
      false,
      1,
      draw_networks};
  return figure;
}

}  // namespace upsweep::figures
