// Database files that were changed past the library. Input: which database (a new one, or one of the golden ones of
// earlier versions) and whether it is read or written to, then edits of it: of rows by SQL, whose checksums are made
// good again if the input says so, then of bytes and pages. Edits rather than files, because SQLite and the checksums
// refuse nearly every file that is changed at random, and because these inputs outlive the schema.
#include "tuning-db/database.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <upsweep/source.hpp>

#include "generator/space.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tuning-db/checksum.hpp"
#include "tuning-db/choose.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/rows.hpp"
#include "tuning-db/schema.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::fuzz {
namespace {

using namespace tuning_db;
using Mode = Database::Mode;

constexpr std::size_t page_bytes = 4096;

DeviceIdentity device() {
  return {"NVIDIA H200", 9, 0, 132, 6144, 3201000, true};
}

DeviceLimits limits() {
  DeviceLimits limits = limits_of_architecture("sm_90");
  limits.memory_bytes = std::uint64_t{140} << 30;
  return limits;
}

Trial trial_of(Type type, int exponent) {
  Trial trial;
  trial.measured_at = "2026-11-21T06:58:00Z";
  trial.device = device();
  trial.environment = {"580.159.03", "nvrtc 13.0", "1"};
  trial.problem = make_problem(Algorithm::inclusive_scan, Operator::plus, type, type, std::uint64_t{1} << exponent);
  trial.config = Space(trial.problem, limits()).default_config();
  trial.samples_us = {exponent + 1.5, exponent + 0.25};
  trial.session = "a session";
  trial.binary = "00112233445566778899aabbccddeeff";
  return trial;
}

void fill(const std::filesystem::path& path) {
  Database database(path, Mode::read_write);
  for (const Type type : {Type::i32, Type::f64}) {
    for (const int exponent : {12, 20}) {
      Trial trial = trial_of(type, exponent);
      database.set_winner(database.record(trial));
      trial.failure = "did not compile";
      trial.verdict = Verdict::not_compiled;
      database.record(trial);
      Wanted wanted{.device = device(), .problem = trial.problem, .count = 3, .rung = "built_in"};
      wanted.problem.input = wanted.problem.accumulator = wanted.problem.output = Type::u8;
      database.want(std::vector{wanted});
    }
  }
}

// A trial as text, without its id: a damaged page may give a row another one.
std::string line_of(const Trial& trial) {
  return tuning_db::to_json(trial).dump();
}

struct Base {
  std::string bytes;
  std::set<std::string> trials;
};

struct World {
  World() {
    fill(file);
    add(file);
    for (const char* golden : {"v2.db", "v3.db"}) {
      const auto golden_file = std::filesystem::path(UPSWEEP_SOURCE_DIR) / "tests/tuning-db/golden" / golden;
      write_bytes(file, bytes_of(golden_file));
      add(file);
    }
    std::filesystem::remove(file);
    empty = (Database(file, Mode::read_write), bytes_of(file));
  }
  void add(const std::filesystem::path& path) {
    Base base{.bytes = bytes_of(path), .trials = {}};
    for (const Trial& trial : Database(path, Mode::read_only).trials()) base.trials.insert(line_of(trial));
    require(base.bytes.size() % page_bytes == 0 && !base.trials.empty(), "the database to start from is none");
    bases.push_back(std::move(base));
  }
  // The file of a new database with those bytes.
  [[nodiscard]] std::filesystem::path put(const char* name, std::string_view bytes) const {
    const std::filesystem::path path = folder / name;
    std::filesystem::remove(path.string() + "-journal");
    write_bytes(path, bytes);
    return path;
  }

  Folder folder;
  std::filesystem::path file = folder / "tuning.db";
  std::vector<Base> bases;
  std::string empty;
};

// ---- edits

constexpr std::array columns = {
    "device.name",       "device.compute_major", "device.memory_bus_bits", "device.ecc",         "environment.driver",
    "problem.algorithm", "problem.operator",     "problem.input",          "problem.output",     "config.json",
    "trial.device",      "trial.environment",    "trial.problem",          "trial.config",       "trial.size",
    "trial.size_class",  "trial.samples_us",     "trial.verdict",          "trial.failure",      "trial.stage",
    "trial.binary",      "trial.clock_mhz",      "trial.session",          "trial.measured_at",  "trial.checksum",
    "winner.size_class", "winner.side",          "winner.trial",           "winner.environment", "wanted.count",
    "wanted.rung",       "wanted.size",          "wanted.first_at",        "wanted.size_class",  "wanted.problem",
    "problem.key",       "problem.family"};

constexpr std::array<std::int64_t, 10> numbers = {0, 1, -1, 2, 12, 20, 63, 2147483648, 4294967297, INT64_MIN};

constexpr std::array texts = {
    "[1e308,1.7e308]",
    "[1,null]",
    "[-0.0]",
    "{\"schedule\":\"lookback\"}",
    "i8",
    "f64",
    "c128",
    "reduce",
    "affine",
    "hung",
    "final",
    "2026-11-21T06:58:00.123456789Z",
    "NULL",
    "2/dense/4,4,4/",
    "add@6f1c0d6e2a9b4c57",
    R"({"accumulator":"i32","algorithm":"inclusive_scan","input":"i32","operator":"add@6f1c0d6e2a9b4c57","output":"i32"})",
    R"({"accumulator":"f32","algorithm":"reduce","input":"f32","operator":"plus","output":"f32"})"};

// One UPDATE; what SQLite refuses (another kind of value, one that is there already) is left out.
void edit_row(sqlite3* handle, Input& input) {
  const std::string_view column = columns[input.below(columns.size())];
  const std::size_t point = column.find('.');
  const std::string table(column.substr(0, point)), member(column.substr(point + 1));
  const auto row = static_cast<std::int64_t>(input.below(16));
  const std::string key = table == "winner" ? "trial" : table == "wanted" ? "problem" : "id";
  const std::string sql = "UPDATE " + table + " SET " + member + " = ?1 WHERE " + key + " = ?2";
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return;
  sqlite3_bind_int64(statement, 2, row);
  const std::size_t kind = input.below(4);
  if (kind == 0) sqlite3_bind_int64(statement, 1, numbers[input.below(numbers.size())]);
  if (kind == 1) sqlite3_bind_text(statement, 1, texts[input.below(texts.size())], -1, SQLITE_STATIC);
  if (kind == 2) {
    const std::string_view text = input.text(input.below(64));
    sqlite3_bind_text(statement, 1, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  sqlite3_step(statement);
  sqlite3_finalize(statement);
}

// Gives every row that parses the checksum of what it says, so that what is behind the checksum is reached too.
void seal_trials(const Connection& connection) {
  Statement row(connection, fmt::format("SELECT {} FROM trial {}", trial_columns, trial_joins));
  std::vector<Trial> trials;
  while (row.step()) {
    try {
      trials.push_back(parse_trial(row));
    } catch (const RowError&) {
    }
  }
  Statement seal(connection, "UPDATE trial SET checksum = ?2 WHERE id = ?1");
  for (const Trial& trial : trials) seal.bind(trial.id, checksum_of(trial)).step();
}

// False: none was made.
bool edit_rows(const std::filesystem::path& path, Input& input) {
  const std::size_t edits = input.below(5);
  if (edits == 0) return false;
  const bool seal = input.below(2) == 1;
  const Connection connection(path.string(), SQLITE_OPEN_READWRITE, {});
  connection.execute("PRAGMA ignore_check_constraints = ON");
  connection.execute("PRAGMA synchronous = OFF");
  for (std::size_t edit = 0; edit < edits; ++edit) edit_row(connection.handle(), input);
  if (!seal) return true;
  if (stored_version(connection) != schema_version) view_as_current(connection);
  seal_trials(connection);
  return true;
}

void edit_bytes(std::string& bytes, Input& input) {
  const std::size_t pages = bytes.size() / page_bytes;
  const auto page = [&] { return input.below(pages) * page_bytes; };
  const auto place = [&] { return page() + input.below(page_bytes); };
  const auto flip = [&](std::size_t at) { bytes[at] = static_cast<char>(bytes[at] ^ (1 << input.below(8))); };
  switch (input.below(8)) {
    case 0:
      return flip(input.below(100));  // of the file's header
    case 1:
      return flip(place());
    case 2: {
      const std::size_t at = place();
      const std::string_view text = input.text(1 + input.below(8));
      bytes.replace(at, text.size(), text);
      return;
    }
    case 3: {  // the head of a b-tree page: its kind, its number of cells, where they are
      const std::size_t at = page() + input.below(16);
      bytes[at] = static_cast<char>(input.byte());
      return;
    }
    case 4: {  // a page in the place of another
      const std::size_t to = page();
      bytes.replace(to, page_bytes, bytes.substr(page(), page_bytes));
      return;
    }
    case 5: {
      const std::size_t a = page(), b = page();
      const std::string kept = bytes.substr(a, page_bytes);
      bytes.replace(a, page_bytes, bytes.substr(b, page_bytes));
      bytes.replace(b, page_bytes, kept);
      return;
    }
    case 6:
      return bytes.resize(std::max(place(), page_bytes));
    default:
      bytes.append(input.below(9000), static_cast<char>(input.byte()));
  }
}

// ---- what must hold

void check_trials(const std::vector<Trial>& trials, const std::set<std::string>* written) {
  for (const Trial& trial : trials) {
    validate(trial);
    require(config_from_json(to_json(trial.config)) == trial.config, "a config does not read back");
    if (written != nullptr && !written->contains(line_of(trial))) find("nobody wrote this: ", line_of(trial));
  }
}

void check_choice(const std::vector<Winner>& winners) {
  for (const Type type : {Type::i32, Type::f32}) {
    const Problem asked = make_problem(Algorithm::inclusive_scan, Operator::plus, type, type, 1 << 20);
    const Choice choice = choose(asked, device(), limits(), winners, {});
    require(Space(asked, limits()).contains(choice.config), "a config from outside the space was chosen");
    (void)generate(asked, choice.config);
  }
}

// What one database exports another takes in, and exports again.
void check_export(const World& world, const Database& database) {
  const std::string exported = export_json(database, {.trials = true});
  Database copy(world.put("copy.db", world.empty), Mode::read_write);
  (void)import_json(copy, exported);
  const std::string again = export_json(copy, {.trials = true});
  if (again != exported) find("an export does not survive the way there and back: ", exported, again);
}

void read_all(const World& world, const std::filesystem::path& path, const Base& base, bool rows, bool bytes) {
  const Database database(path, Mode::read_only);
  const CheckReport report = database.check();
  for (const std::string& line : report.problems) require(line.find('\n') == line.npos, "a problem of several lines");
  check_trials(database.trials(), rows ? nullptr : &base.trials);
  const std::vector<Winner> winners = database.winners();
  for (const Winner& winner : winners) {
    check_trials({winner.trial}, rows ? nullptr : &base.trials);
    require(unfit_to_win(winner.trial).empty(), "a winner that is unfit to win");
  }
  check_choice(winners);
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);
  for (const Winner& winner : database.winners({.serving = problem})) {
    require(std::ranges::any_of(winners, [&](const Winner& each) { return each.trial.id == winner.trial.id; }),
            "a winner that is not among all winners");
  }
  (void)database.trials({.device = device(), .problem = problem, .size_class = 20, .failures = false});
  (void)database.wanted(device());
  if (bytes) {
    (void)export_json(database, {.trials = true});
  } else {
    require(report.trials == database.trials().size(), "another number of trials than checked");
    check_export(world, database);
  }
  require(pinned_winners(path).size() == winners.size(), "another number of winners where it is pinned");
  Database into(world.put("into.db", world.empty), Mode::read_write);
  (void)into.merge(database);
}

void write_all(const World& world, const std::filesystem::path& path) {
  Database database(path, Mode::read_write);
  const Trial trial = trial_of(Type::i8, 14);
  const std::int64_t id = database.record(trial);
  database.set_winner(id);
  const auto found = database.trials({.id = id});
  require(found.size() == 1 && line_of(found.front()) == line_of(trial), "what was recorded does not read back");
  (void)database.merge(Database(world.put("from.db", world.bases.front().bytes), Mode::read_only));
  database.want(std::vector{Wanted{.device = device(), .problem = trial_of(Type::u16, 9).problem, .count = 1}});
  (void)database.prune({.losers = true, .failed = true});
  (void)database.prune({.older_than_days = 3});
  (void)database.compact();
  (void)database.clear_wanted();
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  static const fuzz::World world;
  fuzz::Input input(data, size);
  const std::size_t choice = input.below(2 * world.bases.size());
  const fuzz::Base& base = world.bases[choice % world.bases.size()];
  const bool rows = fuzz::edit_rows(world.put("tuning.db", base.bytes), input);
  std::string bytes = rows ? fuzz::bytes_of(world.file) : base.bytes;
  const bool has_bytes = !input.empty();
  for (int edits = 0; edits < 8 && !input.empty() && bytes.size() >= fuzz::page_bytes; ++edits) {
    fuzz::edit_bytes(bytes, input);
  }
  const std::filesystem::path path = world.put("tuning.db", bytes);
  (void)fuzz::accepted<DatabaseError>([&] {
    choice < world.bases.size() ? fuzz::read_all(world, path, base, rows, has_bytes) : fuzz::write_all(world, path);
    return true;
  });
  return 0;
}
