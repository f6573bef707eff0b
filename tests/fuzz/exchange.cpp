// Exports of the tuning database, and what comes of importing one. Input: the text.
#include "tuning-db/exchange.hpp"

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/json_mutator.hpp"

UPSWEEP_FUZZ_JSON(0)

namespace upsweep::fuzz {
namespace {

using tuning_db::Database;
using tuning_db::Trial;
using tuning_db::Winner;

// A database without a row, copied for each import.
class Empty {
 public:
  Empty() { bytes_ = (Database(path_, Database::Mode::read_write), bytes_of(path_)); }
  [[nodiscard]] Database open() const {
    write_bytes(path_, bytes_);
    return {path_, Database::Mode::read_write};
  }

 private:
  Folder folder_;
  std::filesystem::path path_ = folder_ / "tuning.db";
  std::string bytes_;
};

void check_trial(const Trial& trial) {
  tuning_db::validate(trial);
  require(config_from_json(to_json(trial.config)) == trial.config, "a config does not read back");
}

void check_import(const Empty& empty, std::string_view text, const std::optional<std::vector<Winner>>& winners) {
  Database database = empty.open();
  const auto report = accepted<InputError>([&] { return tuning_db::import_json(database, text); });
  if (!report) {
    require(database.trials().empty() && database.winners().empty(), "a refused import has left something");
    return;
  }
  require(winners.has_value(), "imported, and no export");
  require(report->trials_added == database.trials({.carried = true}).size(), "another number of trials than reported");
  require(database.winners().size() == winners->size(), "not every winner was taken in");
  require(database.check().ok(), "the database is damaged");
  // As text and back.
  const std::string exported = tuning_db::export_json(database, {.trials = true});
  const auto again = tuning_db::import_json(database, exported);
  require(again.trials_added == 0 && again.winners_set == 0, "its own export brings a database something new");
  Database copy = empty.open();
  (void)tuning_db::import_json(copy, exported);
  require(tuning_db::export_json(copy, {.trials = true}) == exported,
          "an export does not survive the way there and back");
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  static const fuzz::Empty empty;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto winners = fuzz::accepted<InputError>([&] { return tuning_db::read_shipped(text); });
  if (winners) {
    for (const auto& winner : *winners) fuzz::check_trial(winner.trial);
  }
  // What is refused here is refused by an import before it opens anything, but for the many that are no JSON.
  if (winners) fuzz::check_import(empty, text, winners);
  return 0;
}
