#include "tuning-db/wanted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <upsweep/error.hpp>

#include "generator/problem_names.hpp"
#include "tuning-db/problem_rows.hpp"
#include "tuning-db/rows.hpp"

namespace upsweep::tuning_db {
namespace {

// What a column of integers holds.
constexpr std::uint64_t greatest_size = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t highest_count = std::numeric_limits<std::int64_t>::max() / 2;

Wanted read_one(const Statement& row) {
  try {
    Wanted wanted;
    wanted.device = read_device(row, 0);
    wanted.problem = read_problem(row, 7, row.integer(9));
    wanted.size_class = row.small_integer(8);
    if (wanted.size_class != size_class(wanted.problem.size)) throw RowError("its size class does not match its size");
    if (row.integer(10) < 1) throw RowError("its count is not positive");
    wanted.count = static_cast<std::uint64_t>(row.integer(10));
    wanted.first_at = row.text(11);
    wanted.last_at = row.text(12);
    if (!is_utc_time(wanted.first_at) || !is_utc_time(wanted.last_at)) throw RowError("its time is not valid");
    wanted.rung = row.text(13);
    validate(wanted.problem);
    validate(wanted.device);
    return wanted;
  } catch (const UsageError& error) {
    throw RowError(error.what());
  }
}

bool has_winner(const Connection& connection, std::int64_t device, std::int64_t problem, int size_class) {
  Statement row(connection, "SELECT trial FROM winner WHERE device = ?1 AND problem = ?2 AND size_class = ?3");
  row.bind(device, problem, size_class);
  while (row.step()) {
    const auto trials = read_trials(connection, {.id = row.integer(0)}, [](std::int64_t, const std::string&) {});
    if (!trials.empty() && unfit_to_win(trials.front()).empty()) return true;
  }
  return false;
}

}  // namespace

void add_wanted(const Connection& connection, std::span<const Wanted> requests) {
  for (const Wanted& wanted : requests) {
    DeviceIdentity named = wanted.device;
    named.name = as_utf8(named.name);
    validate(wanted.problem);
    validate(named);
    if (wanted.problem.size > greatest_size) continue;  // no memory holds so many items either
    const auto count = static_cast<std::int64_t>(std::min(wanted.count, static_cast<std::uint64_t>(highest_count)));
    const std::int64_t device = make_device(connection, named);
    const std::int64_t problem = make_problem_row(connection, key_of(wanted.problem));
    const int at = size_class(wanted.problem.size);
    if (has_winner(connection, device, problem, at)) continue;
    const std::string now = utc_now();
    Statement(connection,
              "INSERT INTO wanted(device, problem, size_class, size, count, first_at, last_at, rung) VALUES(?1, ?2, "
              "?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT(device, problem, size_class) DO UPDATE SET size = excluded.size, "
              "count = min(count + excluded.count, ?9), last_at = max(last_at, excluded.last_at), rung = excluded.rung")
        .bind(device, problem, at, static_cast<std::int64_t>(wanted.problem.size), count,
              wanted.first_at.empty() ? now : wanted.first_at, wanted.last_at.empty() ? now : wanted.last_at,
              as_utf8(wanted.rung), highest_count)
        .step();
  }
}

std::vector<Wanted> read_wanted(const Connection& connection,
                                const std::function<void(const std::string& reason)>& skipped) {
  Statement row(connection,
                "SELECT device.name, compute_major, compute_minor, multiprocessors, memory_bus_bits, memory_clock_khz, "
                "ecc, problem.key, size_class, size, count, first_at, last_at, rung FROM wanted LEFT JOIN device ON "
                "device.id = wanted.device LEFT JOIN problem ON problem.id = "
                "wanted.problem ORDER BY count DESC, last_at DESC, wanted.device, wanted.problem, size_class");
  std::vector<Wanted> all;
  while (row.step()) {
    try {
      all.push_back(read_one(row));
    } catch (const LacksDefinition&) {  // a request of other programs
    } catch (const RowError& error) {
      skipped(error.what());
    }
  }
  return all;
}

}  // namespace upsweep::tuning_db
