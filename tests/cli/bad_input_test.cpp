// Every line of bad input that the command can meet: one line on the error stream that says what to do, an exit code,
// nothing on standard output and no file left behind.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "tests/cli/bad_input.hpp"

namespace upsweep::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

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
  expect_error(scan({"--n", "4"}), input, {"holds 3 items, but --n is 4; correct --n, or name"});
  expect_error(scan_with(path("out.npy"), path("out.foo")), usage,
               {"out.foo' is unknown; use one of the extensions .npy, .bin, .raw, .txt, .csv, .tsv, .dat, or give"});
  const std::string raw = make("f.bin", std::string(4000, 'x'));
  expect_error(words("run reduce --op plus --type f64 --n 1000 --device host", {raw}), input,
               {"f.bin' holds 500 items (4000 bytes of f64), but --n is 1000; correct --n or --type, or name"});
}

TEST_F(BadInput, TypeThatIsNotTheFiles) {
  const std::string npy = make_array("doubles.npy", std::vector<double>{1, 2});
  expect_error(scan_with(path("numbers.txt"), npy), input, {"f64", "i32"});
  expect_error({"run", "reduce", "--op", "plus", make("numbers.bin", "12345678")}, usage, {"--type"});
}

// Descriptor 0 is another for as long as this lives: an open file, or none.
class StandardInput {
 public:
  explicit StandardInput(const char* path) : before_(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)) {
    ::close(STDIN_FILENO);
    if (path != nullptr && ::open(path, O_RDONLY) != STDIN_FILENO) throw std::runtime_error("descriptor 0 is taken");
  }
  ~StandardInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

TEST_F(BadInput, StandardInputThatIsADirectoryOrClosed) {
  const auto call_with = [this](const char* place) {
    const StandardInput input(place);
    std::ostringstream out;
    std::ostringstream err;
    const int code = main(words("run reduce --op plus --type i32 --device host -"), std::cin, out, err);
    return Called{code, out.str(), err.str()};
  };
  const Called directory = call_with(path("").c_str());
  EXPECT_EQ(directory.code, input);
  EXPECT_EQ(directory.err, "upsweep: standard input is a folder: name a file\n");
  EXPECT_THAT(directory.out, IsEmpty());
  const Called closed = call_with(nullptr);
  EXPECT_EQ(closed.code, input);
  EXPECT_THAT(closed.err, StartsWith("upsweep: cannot read standard input: Bad file descriptor"));
  EXPECT_THAT(closed.out, IsEmpty());
  const Called numbers = call_with(make("numbers.txt", "1\n2\n3\n").c_str());
  EXPECT_EQ(numbers.out, "6\n") << numbers.err;
}

TEST_F(BadInput, ZeroByteWithinANumber) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "1.0\n";  // beyond what tells text from binary
  const std::string file = make("zero.txt", text + std::string("2\0"
                                                               "5\n",
                                                               4));
  expect_error(words("run reduce --op plus --type f64 --device host", {file}), input,
               {"line 2001: the text has a zero byte"});
}

TEST_F(BadInput, FirstLineThatIsTakenForAHeaderIsSaid) {
  const Called called =
      call(words("run reduce --op plus --type i32 --device host", {make("rain.txt", "rain\n1\n2\n")}));
  EXPECT_EQ(called.out, "3\n") << called.err;
  EXPECT_THAT(called.err,
              StartsWith("upsweep: the first line of '" + path("rain.txt") + "' is taken as its header: rain\n"));
  const Called named = call(words("run reduce --op plus --type i32 --device host --column rain", {path("rain.txt")}));
  EXPECT_EQ(named.out, "3\n") << named.err;
  EXPECT_THAT(named.err, Not(HasSubstr("header")));
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
  EXPECT_EQ(main(words("run reduce --op plus --type i32 --device host", {make("n.txt", "1\n")}), in, out, err), input);
  EXPECT_THAT(err.str(), HasSubstr("cannot write to standard output"));
}

TEST_F(BadInput, ErrorsAreADocumentToo) {
  std::vector<std::string> arguments = scan_with("i32", "i33");
  arguments.push_back("--json");
  const Called called = call(arguments);
  EXPECT_EQ(called.code, usage);
  EXPECT_EQ(called.error_lines(), 1);
  const nlohmann::json json = called.json();
  EXPECT_EQ(json.at("error").at("kind"), "usage");
  EXPECT_THAT(json.at("error").at("message").get<std::string>(), HasSubstr("unknown type 'i33'"));
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
  const Called called = worked(call(scan()));
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
  const Called called = worked(call(scan()));
  EXPECT_EQ(array<std::int32_t>("out.npy"), (std::vector<std::int32_t>{1, 3, 6}));
}

// ---- tuning database

TEST_F(BadInput, DatabaseThatIsNone) {
  const std::string foreign = make("foreign.db",
                                   "a letter to my aunt, much longer than a hundred bytes, so that it "
                                   "could hold the header of a database if it wanted to; it does not.");
  const std::string before = content("foreign.db");
  const Variable chosen("UPSWEEP_DB", foreign);
  expect_warning(scan(), {"foreign.db"});
  expect_error({"db", "list"}, database, {"foreign.db"});
  expect_error({"db", "check"}, database, {"foreign.db"});
  expect_error(words("tune reduce --op plus --type i32 --size 1K --max-trials 1 --device host"), database,
               {"foreign.db"});
  EXPECT_EQ(content("foreign.db"), before);
}

TEST_F(BadInput, NoDatabaseWhereThereMustBeOne) {
  for (const bool by_option : {true, false}) {
    const Variable chosen("UPSWEEP_DB", by_option ? path("tuning.db").c_str() : "none");
    std::vector<std::string> list{"db", "list"};
    std::vector<std::string> tune = words("tune reduce --op plus --type i32 --size 1K --max-trials 1 --device host");
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
  expect_warning(scan({"--db", later}), {"later.db", "99"});
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
  EXPECT_THAT(called.err, testing::HasSubstr("notes.json': the file is not an export of tuning results"));
  EXPECT_FALSE(std::filesystem::exists(path("tuning.db"))) << "a bad file makes no database";
  EXPECT_EQ(called.code, input);
  EXPECT_EQ(called.error_lines(), 1) << called.err;
  EXPECT_THAT(called.err, HasSubstr("tuning results"));
}

}  // namespace
}  // namespace upsweep::cli
