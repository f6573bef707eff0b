// The options that select trials of a tuning database.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tuning-db/trial.hpp"

namespace CLI {
class App;
}

namespace upsweep::cli {

// [ALGORITHM] --op OP --type TYPE --size SIZE --device NAME. Each may name several; what is not given does not
// restrict.
class TrialFilter {
 public:
  void add_to(CLI::App& verb);
  [[nodiscard]] bool empty() const;

  // Whether a trial is of one of the algorithms, of one of the operators, has items of one of the types, is of the size
  // class of one of the sizes, and of a device whose name contains one of the names in any case. Throws UsageError for
  // names and sizes that do not exist.
  [[nodiscard]] std::function<bool(const tuning_db::Trial&)> predicate() const;
  // The same filter for rows other than trials: it takes the problem and the name of the device.
  [[nodiscard]] std::function<bool(const Problem&, const std::string&)> matches() const;

  // As it was given, for messages: "inclusive_scan --op plus --size 2^20".
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> algorithms_, operators_, types_, sizes_, devices_;
};

// What there is to choose from, in one line: the number of trials, their algorithms, operators, types of items, sizes
// and devices, as "2: reduce; plus; i32, f32; 2^10 to 2^12 items; host".
[[nodiscard]] std::string inventory(std::span<const tuning_db::Trial* const> trials);

}  // namespace upsweep::cli
