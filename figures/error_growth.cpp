// Error growth of sums against their number of items.
#include "figures/error_growth.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "base/cancellation.hpp"
#include "base/size.hpp"
#include "figures/drawings.hpp"

namespace upsweep::figures {
namespace {

constexpr int least_error_exponent = 10, most_error_exponent = 22, exponent_step = 2;
constexpr std::uint64_t items_of_all_draws = std::uint64_t{1} << 22;
constexpr std::uint64_t least_draws = 2, most_draws = 8;

constexpr double unit = 0x1p-24;         // half the distance of 1 and the next f32
constexpr double least_of_chart = 0.01;  // what is smaller is drawn there: a logarithmic axis has no 0

constexpr std::array all_summations{Summation{"naive", Accuracy::plain, true},
                                    Summation{"parallel", Accuracy::plain},
                                    Summation{"kahan", Accuracy::kahan},
                                    Summation{"neumaier", Accuracy::neumaier},
                                    Summation{"double-double", Accuracy::double_double},
                                    Summation{"binned", Accuracy::binned}};

constexpr std::array all_kinds{Items::positive, Items::mixed, Items::cancelling};

// The sum of magnitudes divided by the magnitude of the sum.
constexpr double condition_of_cancelling = 1e6;

std::vector<float> cancelling_items(std::uint64_t count, std::mt19937& random) {
  std::vector<float> items;
  double magnitudes = 0;
  while (items.size() + 2 < count) {
    const auto bits = static_cast<std::uint32_t>(random());
    const int exponent = static_cast<int>(bits % 26) - 13;
    const float item = std::ldexp(1 + static_cast<float>(bits >> 9) * 0x1p-23f, exponent);
    items.insert(items.end(), {item, -item});
    magnitudes += 2.0 * item;
  }
  // Their sum is no f32 number.
  const double left = magnitudes / condition_of_cancelling;
  items.insert(items.end(), {static_cast<float>(0.3 * left), static_cast<float>(0.7 * left)});
  for (std::size_t i = count; i > 1; --i) std::swap(items[i - 1], items[random() % i]);
  return items;
}

// Device memory with the items, and room for a sum.
class ItemsOnDevice {
 public:
  ItemsOnDevice(runtime::Engine& engine, std::uint64_t most)
      : engine_(engine), in_(engine.device(), most * sizeof(float)), out_(engine.device(), sizeof(float)) {}

  void set(std::span<const float> items) {
    count_ = items.size();
    engine_.device().copy_to_device(in_.data(), items.data(), items.size_bytes(), engine_.device().default_stream());
  }
  [[nodiscard]] double sum(const Summation& how) {
    Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::f32, Type::f32, count_);
    problem.accuracy = how.accuracy;
    const runtime::Stream stream = engine_.device().default_stream();
    const Plan plan = how.is_sequential ? engine_.plan(problem, Config{.schedule = "sequential"}, stream)
                                        : engine_.plan(problem, stream);
    plan.run(in_.data(), out_.data(), count_, stream);
    float result = 0;
    engine_.device().copy_to_host(&result, out_.data(), sizeof result, stream);
    return result;
  }

 private:
  runtime::Engine& engine_;
  runtime::Buffer in_;
  runtime::Buffer out_;
  std::uint64_t count_ = 0;
};

Drawing draw_errors(const Setting& setting) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::vector<ErrorCell>> cells(all_kinds.size());
  std::vector<std::string> notes;
  for (int exponent = least_error_exponent; exponent <= most_error_exponent; exponent += exponent_step) {
    const std::uint64_t size = std::uint64_t{1} << exponent;
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    if (exponent > least_error_exponent && taken.count() > setting.budget_us) {
      notes.push_back(fmt::format("The time ran out before {}: give more with --budget.", base::format_items(size)));
      break;
    }
    const int draws = static_cast<int>(std::clamp<std::uint64_t>(items_of_all_draws / size, least_draws, most_draws));
    setting.progress(base::format_items(size));
    for (std::size_t i = 0; i < all_kinds.size(); ++i) {
      cells[i].push_back(measure_errors(setting.engine, all_kinds[i], size, draws));
    }
  }
  Drawing drawing = error_drawing(cells);
  std::ranges::move(notes, std::back_inserter(drawing.notes));
  return drawing;
}

report::Chart chart_of(const std::string& title, std::span<const ErrorCell> cells) {
  report::Chart chart;
  chart.title = title;
  chart.x_label = "items";
  chart.y_label = "relative error / 2^-24";
  chart.y_logarithmic = true;
  chart.label_width = 110;
  for (std::size_t i = 0; i < all_summations.size(); ++i) {
    const std::string label(all_summations[i].label);
    report::Series series{line_style(i), label, {}, false, {}, 0, 0, ""};
    for (const ErrorCell& cell : cells) {
      series.marks.push_back(mark_at(cell.size, std::max(cell.errors[i], least_of_chart),
                                     fmt::format("{}, {:.3g} x 2^-24", label, cell.errors[i])));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Table table_of(const std::string& title, std::span<const ErrorCell> cells) {
  Table table{title + ": relative error in units of 2^-24", {"items", "draws", "condition number"}, {}};
  for (const Summation& each : all_summations) table.columns.emplace_back(each.label);
  for (const ErrorCell& cell : cells) {
    std::vector<std::string> row{base::format_size(cell.size), fmt::format("{}", cell.draws),
                                 fmt::format("{:.3g}", cell.condition)};
    for (const double error : cell.errors) row.push_back(fmt::format("{:.3g}", error));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

double exact_sum(std::span<const float> items) {
  std::vector<double> parts;  // whose bits do not overlap, ascending
  for (const float item : items) {
    double carried = item;
    std::size_t kept = 0;
    for (double part : parts) {
      if (std::abs(carried) < std::abs(part)) std::swap(carried, part);
      const double sum = carried + part;
      const double lost = part - (sum - carried);
      if (lost != 0) parts[kept++] = lost;
      carried = sum;
    }
    parts.resize(kept);
    parts.push_back(carried);
  }
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

std::span<const Summation> summations() {
  return all_summations;
}

std::span<const Items> all_items() {
  return all_kinds;
}

std::vector<float> random_items(Items kind, std::uint64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  if (kind == Items::cancelling) return cancelling_items(count, random);
  std::vector<float> items(count);
  for (float& item : items) {
    const auto bits = static_cast<std::uint32_t>(random());
    item = static_cast<float>(bits >> 8) * 0x1p-24f;
    if (kind == Items::mixed && (bits & 1) != 0) item = -item;
  }
  return items;
}

ErrorCell measure_errors(runtime::Engine& engine, Items kind, std::uint64_t size, int draws) {
  ErrorCell cell{size, draws, 1, std::vector<double>(all_summations.size())};
  ItemsOnDevice device(engine, size);
  for (int draw = 0; draw < draws; ++draw) {
    base::throw_if_cancelled();
    const std::vector<float> items = random_items(kind, size, static_cast<std::uint32_t>(draw + 1));
    const double exact = exact_sum(items);
    double magnitudes = 0;
    for (const float item : items) magnitudes += std::abs(item);
    cell.condition = std::max(cell.condition, magnitudes / std::abs(exact));
    device.set(items);
    for (std::size_t i = 0; i < all_summations.size(); ++i) {
      const double error = (device.sum(all_summations[i]) - exact) / (unit * exact);
      cell.errors[i] += error * error / draws;
    }
  }
  for (double& each : cell.errors) each = std::sqrt(each);
  return cell;
}

Drawing error_drawing(std::span<const std::vector<ErrorCell>> cells) {
  constexpr std::array titles{"Items from 0 to 1", "Items from -1 to 1",
                              "Items of magnitudes from 2^-13 to 2^13 that cancel"};
  Drawing drawing;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    drawing.charts.push_back(chart_of(titles[i], cells[i]));
    drawing.tables.push_back(table_of(titles[i], cells[i]));
  }
  drawing.notes.push_back(fmt::format(
      "An error of 1 is half the distance of a f32 number and the next one, just above a power of two: what "
      "rounding the exact sum costs at most. Errors below {} are drawn at {}.",
      least_of_chart, least_of_chart));
  return drawing;
}

const Figure& error_figure() {
  static const Figure figure{
      "error_growth",
      "Error growth of sums",
      "How far a sum of random f32 items is from the exact sum: added one after the other by one thread (naive), by "
      "the "
      "plain reduce that upsweep chooses (parallel: its tree is pairwise above the items of a thread), with an error "
      "term beside each sum (kahan, neumaier, double-double), and in bins that make it reproducible (binned). Items "
      "of both signs cancel: the condition number, the sum of the magnitudes divided by the magnitude of the sum, "
      "multiplies the error of plain sums.",
      "Higham, \"The Accuracy of Floating Point Summation\", 1993, sections 3 and 4; docs/determinism.md, \"Accuracy "
      "of "
      "sums\"",
      "Computed on the device by `reduce plus f32` with each accuracy. The exact sum is an expansion of f64 numbers "
      "that "
      "plain sequential code keeps without rounding. Root mean square over the draws of random items.",
      false,
      1,
      draw_errors};
  return figure;
}

}  // namespace upsweep::figures
