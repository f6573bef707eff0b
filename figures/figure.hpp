// The literature's figures: what each shows, where it comes from, and how it is drawn for a device.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/peer.hpp"
#include "figures/other_times.hpp"
#include "report/chart.hpp"
#include "runtime/engine.hpp"

namespace upsweep::figures {

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as the columns
};

// What comes of a figure.
struct Drawing {
  std::vector<report::Chart> charts;
  std::vector<Table> tables;
  std::vector<std::string> notes;  // sentences: what is missing and why, what differs
};

// What a figure is drawn from.
struct Setting {
  runtime::Engine& engine;
  std::shared_ptr<const bench::Peer> peer = {};  // may be null
  std::optional<OtherTimes> other = {};
  double budget_us = 60e6;  // of this figure, for what is timed
  std::function<void(const std::string& what)> progress = [](const std::string&) {};
};

struct Figure {
  std::string_view name;    // "throughput"
  std::string_view title;   // "Throughput against input size"
  std::string_view shows;   // sentences
  std::string_view source;  // paper and section
  std::string_view method;  // how it is measured
  bool needs_gpu = false;
  int share = 0;  // of the time for all figures: in proportion to those of the others
  Drawing (*draw)(const Setting& setting) = nullptr;
};

// In the order of the page.
[[nodiscard]] std::span<const Figure> all_figures();
// Throws UsageError that lists the names.
[[nodiscard]] const Figure& figure_named(std::string_view name);

// The lines of all charts have one of these classes, by their number from 0 on; page.cpp has their colours.
[[nodiscard]] std::string line_style(std::size_t number);

// The figures, a file each.
[[nodiscard]] const Figure& throughput_figure();
[[nodiscard]] const Figure& ladder_figure();
[[nodiscard]] const Figure& window_figure();
[[nodiscard]] const Figure& rows_figure();
[[nodiscard]] const Figure& error_figure();
[[nodiscard]] const Figure& networks_figure();
[[nodiscard]] const Figure& portability_figure();

}  // namespace upsweep::figures
