// Rows on the command line: upsweep run along an axis of a .npy file and with --row-length, the choice of configs, and
// what bad input is told.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/file_bytes.hpp"
#include "base/text.hpp"
#include "tests/cli/bad_input.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RunRows : public BadInput {
 protected:
  // The file that numpy.save(path, array) writes of an array of int32.
  [[nodiscard]] std::string matrix(const std::string& name, const std::string& shape,
                                   const std::vector<std::int32_t>& items, const char* fortran = "False") const {
    std::string header = "{'descr': '<i4', 'fortran_order': " + std::string(fortran) + ", 'shape': " + shape + ", }";
    header.append(117 - header.size(), ' ');
    std::string file = "\x93NUMPY\x01" + std::string("\0\x76\0", 3) + header + "\n";
    file.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(std::int32_t));
    return make(name, file);
  }
  [[nodiscard]] std::string matrix() const { return matrix("m.npy", "(2, 3)", {1, 2, 3, 4, 5, 6}); }
  // The bytes before the items of a .npy file.
  [[nodiscard]] std::string header_of(const std::string& name) const {
    const std::vector<std::byte> bytes = base::read_bytes(path(name));
    return std::string(base::as_text(bytes).substr(0, 128));
  }
  [[nodiscard]] static std::vector<std::string> run(const std::string& algorithm,
                                                    const std::vector<std::string>& more) {
    return with(words("run --op plus --device host"), with({algorithm}, more));
  }
};

TEST_F(RunRows, AlongTheLastAxisEachRowIsOnItsOwn) {
  EXPECT_EQ(worked(call(run("inclusive_scan", {"--axis", "1", matrix()}))).out, "1\n3\n6\n4\n9\n15\n");
  EXPECT_EQ(worked(call(run("exclusive_scan", {"--axis", "-1", "--initial", "10", matrix()}))).out,
            "10\n11\n13\n10\n14\n19\n");
  const Called sums = worked(call(run("reduce", {"--axis", "1", matrix()})));
  EXPECT_EQ(sums.out, "6\n15\n");
  EXPECT_THAT(sums.err, HasSubstr("problem  reduce plus i32, rows of 3, 6 items of '"));
}

TEST_F(RunRows, AlongAnotherAxisEachColumnIsOnItsOwn) {
  EXPECT_EQ(worked(call(run("inclusive_scan", {"--axis", "0", matrix()}))).out, "1\n2\n3\n5\n7\n9\n");
  const Called sums = worked(call(run("reduce", {"--axis", "-2", "--initial", "10", matrix()})));
  EXPECT_EQ(sums.out, "15\n17\n19\n");
  EXPECT_THAT(sums.err, HasSubstr("problem  reduce plus i32, axis of 2 by 3, 6 items of '"));
  const std::string cube = matrix("c.npy", "(2, 2, 2)", {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(worked(call(run("exclusive_scan", {"--axis", "1", cube}))).out, "0\n0\n1\n2\n0\n0\n5\n6\n");
  (void)worked(call(run("reduce", {"--axis", "1", cube, "-o", path("sums.npy")})));
  EXPECT_THAT(header_of("sums.npy"), HasSubstr("'shape': (2, 2), }"));
  EXPECT_EQ(worked(call(run("reduce", {"--axis", "1", cube}))).out, "4\n6\n12\n14\n");
  const std::string thin = matrix("t.npy", "(3, 1, 2)", {1, 2, 3, 4, 5, 6});
  (void)worked(call(run("reduce", {"--axis", "0", thin, "-o", path("thin.npy")})));
  EXPECT_THAT(header_of("thin.npy"), HasSubstr("'shape': (1, 2), }"));
  EXPECT_EQ(array<std::int32_t>("thin.npy"), (std::vector<std::int32_t>{9, 12}));
  EXPECT_EQ(worked(call(run("reduce", {"--axis", "0", "--initial", "7", matrix("e.npy", "(0, 2)", {})}))).out,
            "7\n7\n");
  EXPECT_EQ(worked(call(run("reduce", {"--axis", "0", matrix("n.npy", "(2, 0)", {})}))).out, "");
}

TEST_F(RunRows, WrittenFilesHaveTheShapeOfTheArray) {
  const std::string cube = matrix("c.npy", "(2, 1, 2)", {1, 2, 3, 4});
  (void)worked(call(run("inclusive_scan", {"--axis", "2", cube, "-o", path("scan.npy")})));
  EXPECT_EQ(header_of("scan.npy"), header_of("c.npy"));
  (void)worked(call(run("reduce", {"--axis", "2", cube, "-o", path("sums.npy")})));
  EXPECT_THAT(header_of("sums.npy"), HasSubstr("'shape': (2, 1), }"));
  (void)worked(call(run("reduce", {"--axis", "1", matrix(), "-o", path("row_sums.npy")})));
  EXPECT_EQ(array<std::int32_t>("row_sums.npy"), (std::vector<std::int32_t>{6, 15}));
}

TEST_F(RunRows, WithAPitchLeaveOutTheGaps) {
  const std::string slices = make("slices.txt", "1\n2\n9\n3\n4\n9\n5\n6\n");
  const auto pitched = [&](const char* algorithm, const std::string& file) {
    return run(algorithm, {"--type", "i32", "--row-length", "2", "--row-pitch", "3", file});
  };
  EXPECT_EQ(worked(call(pitched("reduce", slices))).out, "3\n7\n11\n");
  const Called scan = worked(call(pitched("inclusive_scan", slices)));
  EXPECT_EQ(scan.out, "1\n3\n3\n7\n5\n11\n") << "results without gaps";
  EXPECT_THAT(scan.err, HasSubstr("problem  inclusive_scan plus i32, rows of 2 with a pitch of 3, 6 items of '"));
  EXPECT_EQ(worked(call(pitched("reduce", make("gap.txt", "1\n2\n9\n3\n4\n9\n")))).out, "3\n7\n") << "a gap at the end";
  EXPECT_EQ(worked(call(run("reduce", {"--row-length", "2", "--row-pitch", "3", matrix()}))).out, "3\n9\n")
      << "the first columns of a matrix";
  EXPECT_EQ(worked(call(run("reduce", {"--row-length", "3", "--row-pitch", "3", matrix()}))).out, "6\n15\n");
  expect_error(pitched("reduce", make("some.txt", "1\n2\n3\n4\n")), input,
               {"holds 4 items, which are not rows of 2 with a pitch of 3: use a --row-pitch that divides"});
  expect_error(run("reduce", {"--type", "i32", "--row-length", "3", "--row-pitch", "2", slices}), usage,
               {"--row-pitch 2 is below --row-length 3: rows would overlap"});
  expect_error(run("reduce", {"--type", "i32", "--row-pitch", "2", slices}), usage,
               {"--row-pitch needs the number of items per row: give it with --row-length"});
  expect_error(run("reduce", {"--type", "i32", "--row-length", "1", "--row-pitch", "0", slices}), usage,
               {"--row-pitch 0: neighbouring rows begin at least a row's length apart"});
  expect_error(run("reduce", {"--type", "i32", "--row-length", "2", "--inner", "2", "--row-pitch", "3", slices}), usage,
               {"--row-pitch is of rows and --inner of an axis: remove one of them"});
}

TEST_F(RunRows, OfNoItemsHaveTheInitialValue) {
  EXPECT_EQ(worked(call(run("reduce", {"--axis", "1", "--initial", "7", matrix("e.npy", "(3, 0)", {})}))).out,
            "7\n7\n7\n");
  EXPECT_EQ(worked(call(run("reduce", {"--axis", "1", matrix("n.npy", "(0, 3)", {})}))).out, "");
}

TEST_F(RunRows, RowLengthDividesAnyInput) {
  const std::string numbers = make("numbers.txt", "1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(worked(call(run("reduce", {"--type", "i32", "--row-length", "2", numbers}))).out, "3\n7\n11\n");
  const nlohmann::json json = document(run("inclusive_scan", {"--type", "i32", "--row-length", "3", numbers}));
  EXPECT_EQ(json.at("problem").at("shape"), "rows of 4") << "the class of the length";
  EXPECT_THAT(json.at("values"), ElementsAre(1, 3, 6, 4, 9, 15));
  const nlohmann::json along =
      document(run("inclusive_scan", {"--type", "i32", "--row-length", "3", "--inner", "2", numbers}));
  EXPECT_EQ(along.at("problem").at("shape"), "axis of 4 by 2") << "the classes of both";
  EXPECT_THAT(along.at("values"), ElementsAre(1, 2, 4, 6, 9, 12));
}

TEST_F(RunRows, BadInputIsToldWhatToDo) {
  expect_error(run("reduce", {matrix()}), input, {"holds an array of shape (2, 3)", "--axis"});
  expect_error(run("reduce", {"--axis", "2", matrix()}), input,
               {"--axis 2 is not a dimension of '", "', whose shape is (2, 3): use a number from -2 to 1"});
  expect_error(run("reduce", {"--axis", "-3", matrix()}), input, {"use a number from -2 to 1"});
  expect_error(run("reduce", {"--axis", "x", matrix()}), usage, {"--axis 'x' is not a whole number"});
  expect_error(run("reduce", {"--axis", "1", "--row-length", "3", matrix()}), usage,
               {"--axis and --row-length both say what a row is"});
  expect_error(run("reduce", {"--axis", "1", matrix("f.npy", "(2, 3)", {1, 2, 3, 4, 5, 6}, "True")}), input,
               {"is stored in Fortran order", "numpy.ascontiguousarray(array)"});
  const std::string numbers = make("numbers.txt", "1\n2\n3\n");
  expect_error(run("reduce", {"--type", "i32", "--axis", "0", numbers}), input,
               {"is not a .npy file with dimensions", "--row-length", "--inner"});
  expect_error(run("reduce", {"--type", "i32", "--row-length", "3", "--inner", "2", numbers}), input,
               {"holds 3 items, which are not parts of 3 by 2"});
  expect_error(run("reduce", {"--type", "i32", "--inner", "2", numbers}), usage,
               {"--inner needs the number of items along the axis"});
  expect_error(run("reduce", {"--type", "i32", "--row-length", "3", "--inner", "0", numbers}), usage, {"--inner 0: "});
  expect_error(run("reduce", {"--type", "i32", "--row-length", "2", numbers}), input,
               {"holds 3 items, which are not rows of 2"});
  expect_error(run("reduce", {"--type", "i32", "--row-length", "0", numbers}), usage,
               {"--row-length 0: a row has at least one item"});
  expect_error(run("reduce", {"--type", "i32", "--row-length", "two", numbers}), usage, {"--row-length", "two"});
  expect_error(words("run reduce_by_key --op plus --device host --axis 0 --key-file k.npy", {matrix()}), usage,
               {"reduce_by_key does not take rows: use inclusive_scan or exclusive_scan or reduce"});
  expect_error(words("run select_if --op less --threshold 3 --device host --axis 1", {matrix()}), usage,
               {"select_if does not take rows"});
}

TEST_F(RunRows, OtherVerbsTakeTheRowLength) {
  const std::vector<std::string> reduce = words("reduce --op plus --type f32 --size 2^24 --row-length 64");
  EXPECT_THAT(worked(call(with(words("explain --device host"), reduce))).out,
              AllOf(HasSubstr("reduce plus f32, rows of 64"), HasSubstr("row_groups"), HasSubstr("--row-length 64")));
  EXPECT_THAT(worked(call(with({"emit"}, reduce))).out, HasSubstr("// reduce plus f32, rows\n"));
  expect_error(words("emit unique --type f32 --row-length 64"), usage, {"unique does not take rows"});
  EXPECT_THAT(worked(call(with(words("explain --device host --inner 67"), reduce))).out,
              AllOf(HasSubstr("reduce plus f32, axis of 64 by 67"), HasSubstr("axis_shares"),
                    HasSubstr("--row-length 64 --inner 67")));
  EXPECT_THAT(worked(call(with(words("emit --inner 67"), reduce))).out, HasSubstr("// reduce plus f32, axis\n"));
  const std::vector<std::string> panels =
      words("emit exclusive_scan --op plus --type f32 --row-length 2^20 --inner 64");
  EXPECT_THAT(worked(call(panels)).out, AllOf(HasSubstr(", tiles of about "), HasSubstr(" rows")));
  EXPECT_EQ(document(panels).at("steps")[0].at("tile_unit"), "row");
  expect_error(words("emit unique --type f32 --row-length 64 --inner 3"), usage, {"unique does not take an axis"});
}

TEST_F(RunRows, OtherVerbsTakeThePitch) {
  const std::vector<std::string> reduce =
      words("reduce --op plus --type f32 --size 2^24 --row-length 64 --row-pitch 80");
  EXPECT_THAT(worked(call(with(words("explain --device host"), reduce))).out,
              AllOf(HasSubstr("reduce plus f32, rows of 64 with a pitch of 80"), HasSubstr("row_groups")));
  EXPECT_THAT(worked(call(with({"emit"}, reduce))).out, HasSubstr("// reduce plus f32, rows with a pitch\n"));
  expect_error(words("emit reduce --op plus --type f32 --row-length 64 --row-pitch 60"), usage,
               {"a pitch of 60 is below the 64 items of a row: use a pitch of at least 64"});
  expect_error(words("tune reduce --op plus --type f32 --device host --row-length 64 --row-pitch 80"), usage,
               {"rows with a pitch have the results of those without: remove --row-pitch"});
  const nlohmann::json json =
      document(words("bench inclusive_scan --op plus --type i32 --device host --size 500 --row-length 16 --row-pitch "
                     "12,20 --samples 1"));
  ASSERT_EQ(json.at("comparisons").size(), 1u);
  EXPECT_EQ(json.at("comparisons")[0].at("problem").at("size"), 496);
  EXPECT_EQ(json.at("comparisons")[0].at("row_pitch"), 20);
  EXPECT_THAT(json.at("left_out"), ElementsAre(HasSubstr("a pitch of 12 is below the 16 items of a row")));
  expect_error(words("bench reduce --op plus --type i32 --device host --size 1K --row-pitch 20"), usage,
               {"--row-pitch needs the number of items per row"});
  expect_error(
      words("bench reduce --op plus --type i32 --device host --size 1K --row-length 9 --inner 2 --row-pitch 20"), usage,
      {"--row-pitch is of rows and --inner of an axis"});
}

TEST_F(RunRows, TunesOfListsAreOfEachCombination) {
  const std::string database = path("lists.db");
  const auto tune = [&](const std::string& more) {
    return with(words("tune reduce --op plus --device host --isolation none --max-trials 1 --budget 5s " + more),
                {"--db", database});
  };
  const Called tuned = worked(call(tune("--type i32,u8 --row-length 8,300 --size 256,1K")));
  EXPECT_THAT(tuned.err, AllOf(HasSubstr("tuning 4 problems"),
                               HasSubstr("left out: reduce plus u8, rows of 300: 256 items are less "
                                         "than a row of 300: use a greater --size")));
  const auto rung = [&](const std::string& more) {
    return document(with(words("explain reduce --op plus --device host " + more), {"--db", database})).at("rung");
  };
  EXPECT_EQ(rung("--type u8 --row-length 300 --size 900"), "exact");
  EXPECT_EQ(rung("--type i32 --row-length 8 --size 256"), "exact");
  EXPECT_EQ(rung("--type i32 --row-length 8 --inner 2 --size 256"), "built_in");
  expect_error(tune("--type i32 --row-length 8,,16 --size 1K"), usage, {"'8,,16' has nothing between two commas"});
  expect_error(tune("--type i32 --row-length 300,400 --size 100"), usage, {"100 items are less than a row of 300"});
}

// Winners are kept by the class of the length, and serve all lengths of it.
TEST_F(RunRows, TunesBelongToTheClassOfTheLength) {
  const std::string database = path("own.db");
  const auto problem = [&](const char* verb, const char* length) {
    return words(std::string(verb) + " reduce --op plus --type i32 --device host --size 3000 --row-length " + length,
                 {"--db", database});
  };
  (void)worked(call(with(problem("tune", "30"), words("--isolation none --max-trials 1"))));
  EXPECT_EQ(document(problem("explain", "30")).at("rung"), "exact");
  EXPECT_EQ(document(problem("explain", "33")).at("rung"), "exact");
  EXPECT_EQ(document(problem("explain", "3")).at("rung"), "built_in");
  const auto along = [&](const char* verb, const char* inner) { return with(problem(verb, "30"), {"--inner", inner}); };
  EXPECT_EQ(document(along("explain", "9")).at("rung"), "built_in");
  (void)worked(call(with(along("tune", "9"), words("--isolation none --max-trials 2"))));
  EXPECT_EQ(document(along("explain", "9")).at("rung"), "exact");
  EXPECT_EQ(document(along("explain", "7")).at("rung"), "exact");
  EXPECT_EQ(document(along("explain", "8")).at("rung"), "built_in") << "rows of another alignment";
  EXPECT_EQ(document(along("explain", "30")).at("rung"), "built_in");
}

TEST_F(RunRows, TunesTakeAtLeastARow) {
  expect_error(words("tune reduce --op plus --type i32 --device host --size 1K,1 --row-length 2000"), usage,
               {"1024 items are less than a row of 2000: use a greater --size"});
  expect_error(words("tune reduce --op plus --type i32 --device host --size 1K --row-length 200 --inner 7"), usage,
               {"1024 items are less than an axis of 200 by 7: use a greater --size"});
}

TEST_F(RunRows, BenchTakesSizesDownToWholeRows) {
  const nlohmann::json json =
      document(words("bench reduce --op plus --type i32 --device host --size 1000 --row-length 64,2000 --samples 1"));
  ASSERT_EQ(json.at("comparisons").size(), 1u);
  EXPECT_EQ(json.at("comparisons")[0].at("problem").at("size"), 960);
  EXPECT_THAT(json.at("left_out"), ElementsAre("reduce plus i32, rows of 2000: 1000 items are less than a row of 2000: "
                                               "use a greater size"));
  const nlohmann::json along = document(
      words("bench reduce --op plus --type i32 --device host --size 1000 --row-length 16 --inner 3,99 --samples 1"));
  ASSERT_EQ(along.at("comparisons").size(), 1u);
  EXPECT_EQ(along.at("comparisons")[0].at("problem").at("size"), 960);
  EXPECT_THAT(along.at("left_out"), ElementsAre(HasSubstr("1000 items are less than an axis of 16 by 99")));
}

}  // namespace
}  // namespace upsweep::cli
