// Every line of bad input that the command can meet: one line on the error stream that says what to do, an exit code,
// nothing on standard output and no file left behind.
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

enum : int { usage = 2, input = 3, device = 4, compiler = 5, database = 6 };

class BadInput : public Command {
 protected:
  // `run inclusive_scan --op plus --type i32` of three numbers into a file, with changes.
  [[nodiscard]] std::vector<std::string> scan(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run",
                                       "inclusive_scan",
                                       "--op",
                                       "plus",
                                       "--type",
                                       "i32",
                                       "-o",
                                       path("out.npy"),
                                       "--device",
                                       "host",
                                       make("numbers.txt", "1\n2\n3\n")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  // The same with each `from` replaced.
  [[nodiscard]] std::vector<std::string> scan_with(const std::string& from, const std::string& to) const {
    std::vector<std::string> arguments = scan();
    std::ranges::replace(arguments, from, to);
    return arguments;
  }

  void expect_error(const std::vector<std::string>& arguments, int code, const std::vector<std::string>& parts) const {
    const std::vector<std::string> before = files();
    const Called called = call(arguments);
    EXPECT_EQ(called.code, code) << called.err;
    EXPECT_THAT(called.err, StartsWith("upsweep: "));
    EXPECT_EQ(called.error_lines(), 1) << called.err;
    for (const std::string& part : parts) EXPECT_THAT(called.err, HasSubstr(part));
    EXPECT_THAT(called.out, IsEmpty());
    EXPECT_EQ(files(), before);
  }
};

// ---- names and values

TEST_F(BadInput, UnknownNames) {
  expect_error(scan_with("i32", "int"), usage, {"unknown type 'int'", "i32", "f64"});
  expect_error(scan_with("plus", "add"), usage, {"unknown operator 'add'", "plus"});
  expect_error(scan_with("inclusive_scan", "scan"), usage, {"unknown algorithm 'scan'", "inclusive_scan"});
  expect_error(scan_with("host", "gpu"), usage, {"unknown device 'gpu'", "host"});
  expect_error(scan({"--accumulate", "i128"}), usage, {"unknown type 'i128'"});
  expect_error(scan({"--format", "hdf5"}), usage, {"unknown format 'hdf5'", "npy"});
  expect_error(scan({"--colour", "red"}), usage, {"--colour", "upsweep run --help"});
}

TEST_F(BadInput, OperatorThatDoesNotTakeTheType) {
  expect_error({"explain", "reduce", "--op", "bit_and", "--type", "f32", "--size", "1K", "--device", "host"}, usage,
               {"bit_and", "f32"});
}

TEST_F(BadInput, ConfigsOutsideTheSpace) {
  expect_error(scan({"--config", R"({"schedule":"lookback","colour":3})"}), usage, {"unknown parameter colour"});
  expect_error(scan({"--config", R"({"schedule":"lookback","items_per_thread":1000})"}), usage,
               {"items_per_thread=1000", "use one of"});
  expect_error(scan({"--config", R"({"schedule":"sideways"})"}), usage, {"unknown schedule 'sideways'", "lookback"});
  expect_error(scan({"--config", "{not json"}), usage, {"JSON object"});
  expect_error(scan({"--config", path("missing.json")}), input, {"missing.json"});
  const Variable forced("UPSWEEP_FORCE_CONFIG", R"({"schedule":"lookback","items_per_thread":1000})");
  expect_error(scan(), usage, {"UPSWEEP_FORCE_CONFIG", "items_per_thread=1000"});
}

TEST_F(BadInput, InitialValues) {
  expect_error(scan({"--initial", "1"}), usage, {"inclusive_scan", "drop --initial"});
  std::vector<std::string> exclusive = scan_with("inclusive_scan", "exclusive_scan");
  exclusive.insert(exclusive.end(), {"--initial", "many"});
  expect_error(exclusive, usage, {"many"});
  exclusive.back() = "3000000000";
  expect_error(exclusive, usage, {"3000000000", "i32"});
}

TEST_F(BadInput, Sizes) {
  for (const char* size : {"", "ten", "1.5M", "2^64", "-1", "1MB", "99999999999999999999"}) {
    expect_error({"explain", "reduce", "--op", "plus", "--type", "i32", "--device", "host", "--size", size}, usage,
                 {"size '" + std::string(size) + "'", "2^20"});
  }
  expect_error(scan({"--n", "3 items"}), usage, {"size '3 items'"});
}

TEST_F(BadInput, Budgets) {
  for (const char* budget : {"", "soon", "-3s", "0", "5 d", "nan"}) {
    expect_error(
        {"tune", "reduce", "--op", "plus", "--type", "i32", "--device", "host", "--size", "1K", "--budget", budget},
        usage, {"budget '" + std::string(budget) + "'", "60s"});
  }
}

TEST_F(BadInput, MissingArguments) {
  expect_error({"run", "reduce", "--type", "i32", "numbers.txt"}, usage, {"--op", "required", "upsweep run --help"});
  expect_error({"run", "reduce", "--op", "plus", "--type", "i32"}, usage, {"INPUT"});
  expect_error({"explain", "reduce", "--op", "plus", "--size", "1K"}, usage, {"--type"});
  expect_error({"db"}, usage, {"upsweep db --help"});
  expect_error({}, usage, {"no verb", "run", "doctor"});
  expect_error({"frobnicate", "--op", "plus"}, usage, {"unknown verb 'frobnicate'", "run", "doctor"});
}

// ---- files

TEST_F(BadInput, MissingFile) {
  expect_error(scan_with(path("numbers.txt"), path("nowhere.txt")), input, {"nowhere.txt", "No such file"});
}

TEST_F(BadInput, ShortFiles) {
  const std::string raw = make("short.bin", std::string(10, '\1'));
  expect_error(scan_with(path("numbers.txt"), raw), input, {"10 bytes", "i32"});
  const std::string whole = make_array("whole.npy", std::vector<std::int32_t>{1, 2, 3, 4});
  const std::string npy = make("short.npy", content("whole.npy").substr(0, content("whole.npy").size() - 3));
  expect_error(scan_with(path("numbers.txt"), npy), input, {"short.npy"});
  EXPECT_EQ(call(scan_with(path("numbers.txt"), whole)).code, 0);
}

TEST_F(BadInput, TextThatIsNoNumberWithItsLine) {
  const std::string text = make("words.txt", "1\n2\nthree\n4\n");
  expect_error(scan_with(path("numbers.txt"), text), input, {"words.txt", "line 3", "three"});
}

TEST_F(BadInput, NumberOfItemsThatDoesNotMatch) {
  expect_error(scan({"--n", "4"}), input, {"3 items", "4"});
}

TEST_F(BadInput, TypeThatIsNotTheFiles) {
  const std::string npy = make_array("doubles.npy", std::vector<double>{1, 2});
  expect_error(scan_with(path("numbers.txt"), npy), input, {"f64", "i32"});
  expect_error({"run", "reduce", "--op", "plus", make("numbers.bin", "12345678")}, usage, {"--type"});
}

TEST_F(BadInput, OutputThatCannotBeWritten) {
  expect_error(scan_with(path("out.npy"), path("nowhere/out.npy")), input, {"nowhere/out.npy"});
  expect_error(scan_with(path("out.npy"), path("out.xlsx")), usage, {"out.xlsx"});
  std::vector<std::string> twice = scan_with(path("out.npy"), "-");
  twice.push_back("--json");
  const Called called = call(twice);
  EXPECT_EQ(called.code, usage);
  EXPECT_EQ(called.json().at("error").at("kind"), "usage");
}

TEST_F(BadInput, StandardOutputThatFails) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);  // as a full disk would have it
  EXPECT_EQ(
      main({"run", "reduce", "--op", "plus", "--type", "i32", "--device", "host", make("n.txt", "1\n")}, in, out, err),
      input);
  EXPECT_THAT(err.str(), HasSubstr("standard output cannot be written"));
}

TEST_F(BadInput, ErrorsAreADocumentToo) {
  std::vector<std::string> arguments = scan_with("i32", "int");
  arguments.push_back("--json");
  const Called called = call(arguments);
  EXPECT_EQ(called.code, usage);
  EXPECT_EQ(called.error_lines(), 1);
  const nlohmann::json json = called.json();
  EXPECT_EQ(json.at("error").at("kind"), "usage");
  EXPECT_THAT(json.at("error").at("message").get<std::string>(), HasSubstr("unknown type 'int'"));
  EXPECT_EQ(call({"run", "--json", "--nonsense"}).json().at("error").at("kind"), "usage");
}

// ---- what is missing on the machine

TEST_F(BadInput, NoDriver) {
  for (const char* name : {"cuda", "cuda:0"}) {
    expect_error(scan_with("host", name), device, {"driver", "/nonexistent/libcuda.so.1"});
  }
  const Called called = call(scan_with("host", "auto"));
  EXPECT_EQ(called.code, 0) << "without a driver the host device is chosen: " << called.err;
  EXPECT_THAT(called.err, HasSubstr("device   host"));
}

TEST_F(BadInput, NoCompiler) {
  const Variable cache("XDG_CACHE_HOME", path("cache"));
  const Variable cxx("UPSWEEP_CXX", "/nonexistent/g++");
  const Called called = call(scan());
  EXPECT_EQ(called.code, compiler) << called.err;
  EXPECT_EQ(called.error_lines(), 1) << called.err;
  EXPECT_THAT(called.err, AllOf(HasSubstr("/nonexistent/g++"), HasSubstr("UPSWEEP_CXX")));
  EXPECT_FALSE(fs::exists(path("out.npy")));
}

TEST_F(BadInput, CompilerThatFailsShowsItsLogOnlyIfAsked) {
  const std::string broken = make("broken-cxx",
                                  "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'g++ 99.0'; exit 0; }\n"
                                  "echo 'line one of the log' >&2\nexit 1\n");
  fs::permissions(broken, fs::perms::owner_all);
  const Variable cache("XDG_CACHE_HOME", path("cache"));
  const Variable cxx("UPSWEEP_CXX", broken);
  const Called brief = call(scan());
  EXPECT_EQ(brief.code, compiler);
  EXPECT_EQ(brief.error_lines(), 1) << brief.err;
  EXPECT_THAT(brief.err, HasSubstr("--verbose"));
  const Called verbose = call(scan({"--verbose"}));
  EXPECT_EQ(verbose.code, compiler);
  EXPECT_THAT(verbose.err, AllOf(HasSubstr("line one of the log"), HasSubstr("   1 | ")));
  EXPECT_FALSE(fs::exists(path("out.npy")));
}

// ---- cache

TEST_F(BadInput, UnwritableCacheWorksWithOneWarning) {
  const Variable cache("XDG_CACHE_HOME", make("no-folder", "a file where a folder should be") + "/cache");
  const Called called = call(scan());
  EXPECT_EQ(called.code, 0) << called.err;
  EXPECT_EQ(array<std::int32_t>("out.npy"), (std::vector<std::int32_t>{1, 3, 6}));
  const std::string prefix = "upsweep: warning: ";
  const std::size_t first = called.err.find(prefix);
  ASSERT_NE(first, std::string::npos) << called.err;
  EXPECT_EQ(called.err.find(prefix, first + 1), std::string::npos) << called.err;
}

TEST_F(BadInput, DamagedCacheEntryIsAMiss) {
  const Variable cache("XDG_CACHE_HOME", path("cache"));
  ASSERT_EQ(call(scan()).code, 0);
  int entries = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path("cache"))) {
    if (!entry.is_regular_file() || entry.file_size() < 100) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file << "damage";
    ++entries;
  }
  ASSERT_GT(entries, 0);
  fs::remove(path("out.npy"));
  const Called called = call(scan());
  EXPECT_EQ(called.code, 0) << called.err;
  EXPECT_EQ(array<std::int32_t>("out.npy"), (std::vector<std::int32_t>{1, 3, 6}));
}

// ---- tuning database

TEST_F(BadInput, DatabaseThatIsNone) {
  const std::string foreign = make("foreign.db",
                                   "a letter to my aunt, much longer than a hundred bytes, so that it "
                                   "could hold the header of a database if it wanted to; it does not.");
  const std::string before = content("foreign.db");
  const Variable chosen("UPSWEEP_DB", foreign);
  expect_error(scan(), database, {"foreign.db"});
  expect_error({"db", "list"}, database, {"foreign.db"});
  expect_error({"db", "check"}, database, {"foreign.db"});
  expect_error(
      {"tune", "reduce", "--op", "plus", "--type", "i32", "--size", "1K", "--max-trials", "1", "--device", "host"},
      database, {"foreign.db"});
  EXPECT_EQ(content("foreign.db"), before);
}

TEST_F(BadInput, NoDatabaseWhereThereMustBeOne) {
  for (const bool by_option : {true, false}) {
    const Variable chosen("UPSWEEP_DB", by_option ? path("tuning.db").c_str() : "none");
    std::vector<std::string> list{"db", "list"};
    std::vector<std::string> tune{"tune",   "reduce", "--op",         "plus", "--type",   "i32",
                                  "--size", "1K",     "--max-trials", "1",    "--device", "host"};
    for (auto* words : {&list, &tune}) {
      if (by_option) words->insert(words->end(), {"--db", "none"});
    }
    expect_error(list, database, {"UPSWEEP_DB", "--db"});
    expect_error(tune, usage, {"UPSWEEP_DB", "--db"});
    EXPECT_EQ(call(scan()).code, 0);
  }
  EXPECT_FALSE(std::filesystem::exists("none"));
}

TEST_F(BadInput, DatabaseOfAnotherSchemaVersion) {
  const std::string later = path("later.db");
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(later.c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(handle, "PRAGMA application_id = 1970303863; PRAGMA user_version = 99; CREATE TABLE t (a INTEGER)",
                   nullptr, nullptr, nullptr),
      SQLITE_OK);
  sqlite3_close(handle);
  const std::string before = content("later.db");
  expect_error(scan({"--db", later}), database, {"later.db", "99"});
  expect_error({"db", "list", "--db", later}, database, {"later.db", "99"});
  EXPECT_EQ(content("later.db"), before);
}

TEST_F(BadInput, DatabaseThatIsMissing) {
  for (const char* verb : {"list", "export", "check"}) expect_error({"db", verb}, database, {"tuning.db"});
  expect_error({"db", "show", "1"}, database, {"tuning.db"});
  expect_error({"db", "import", path("missing.json")}, input, {"missing.json"});
}

TEST_F(BadInput, ImportOfWhatIsNoExport) {
  const Called called = call({"db", "import", make("notes.json", R"({"format":"something else"})")});
  EXPECT_EQ(called.code, input);
  EXPECT_EQ(called.error_lines(), 1) << called.err;
  EXPECT_THAT(called.err, HasSubstr("tuning results"));
}

}  // namespace
}  // namespace upsweep::cli
