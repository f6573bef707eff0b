// Segments on the command line: upsweep run with a file of offsets, the choice of configs, and what bad input is told.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/cli/bad_input.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class RunSegments : public BadInput {
 protected:
  // The file that numpy.save(path, array) writes of one dimension.
  template <typename T>
  [[nodiscard]] std::string npy(const std::string& name, const std::string& type, const std::vector<T>& items) const {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(items.size()) + ",), }";
    header.append(117 - header.size(), ' ');
    std::string file = "\x93NUMPY\x01" + std::string("\0\x76\0", 3) + header + "\n";
    file.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
    return make(name, file);
  }
  [[nodiscard]] std::string items() const { return make("items.txt", "1\n2\n3\n4\n5\n6\n"); }
  [[nodiscard]] static std::vector<std::string> run(const std::string& algorithm,
                                                    const std::vector<std::string>& more) {
    return with(words("run --op plus --type i32 --device host"), with({algorithm}, more));
  }
};

TEST_F(RunSegments, EachIsOnItsOwn) {
  const std::string wide = npy<std::int64_t>("wide.npy", "<i8", {1, 3, 3, 5});
  EXPECT_EQ(worked(call(run("inclusive_scan", {"--segments", wide, items()}))).out, "0\n2\n5\n4\n9\n0\n");
  const Called sums = worked(call(run("reduce", {"--segments", wide, "--initial", "10", items()})));
  EXPECT_EQ(sums.out, "15\n10\n19\n");
  EXPECT_THAT(sums.err, HasSubstr("problem  reduce plus i32 by u64, segments of 2, 6 items of '"));
  const std::string narrow = npy<std::uint32_t>("narrow.npy", "<u4", {0, 6});
  EXPECT_EQ(worked(call(run("exclusive_scan", {"--segments", narrow, items()}))).out, "0\n1\n3\n6\n10\n15\n");
  const std::string text = make("offsets.txt", "0\n2\n6\n");
  const nlohmann::json json = document(run("reduce", {"--segments", text, items()}));
  EXPECT_EQ(json.at("problem").at("shape"), "segments of 4") << "the class of the mean length";
  EXPECT_THAT(json.at("values"), ElementsAre(3, 18));
  EXPECT_EQ(worked(call(run("reduce", {"--segments", make("none.txt", "3\n"), items()}))).out, "");
}

TEST_F(RunSegments, MayHaveGaps) {
  const std::string begins = npy<std::int32_t>("begins.npy", "<i4", {0, 3, 4}),
                    ends = npy<std::uint32_t>("ends.npy", "<u4", {2, 3, 6});
  const std::vector<std::string> pairs{"--segments", begins, "--segment-ends", ends, items()};
  EXPECT_EQ(worked(call(run("inclusive_scan", pairs))).out, "1\n3\n0\n0\n5\n11\n");
  const Called sums = worked(call(run("reduce", pairs)));
  EXPECT_EQ(sums.out, "3\n0\n11\n");
  EXPECT_THAT(sums.err, HasSubstr("reduce plus i32 by u32, segments of 2"));
  const std::string none = npy<std::int32_t>("none.npy", "<i4", {});
  EXPECT_EQ(worked(call(run("reduce", {"--segments", none, "--segment-ends", none, items()}))).out, "");
}

TEST_F(RunSegments, MayComeInAnyOrder) {
  const std::string begins = npy<std::int32_t>("begins.npy", "<i4", {4, 0, 3}),
                    ends = npy<std::int32_t>("ends.npy", "<i4", {6, 2, 3}),
                    overlapping = npy<std::int32_t>("overlapping.npy", "<i4", {6, 5, 3});
  const auto pairs = [&](const std::string& of_ends) {
    return std::vector<std::string>{"--segments", begins, "--segment-ends", of_ends, "--unordered-segments", items()};
  };
  EXPECT_EQ(worked(call(run("inclusive_scan", pairs(ends)))).out, "1\n3\n0\n0\n5\n11\n");
  const Called sums = worked(call(run("reduce", pairs(overlapping))));
  EXPECT_EQ(sums.out, "11\n15\n0\n");
  EXPECT_EQ(document(run("reduce", pairs(overlapping))).at("unordered_segments"), true);
  EXPECT_THAT(sums.err, HasSubstr("reduce plus i32 by u32, segments of 2 in any order"));
  expect_error(run("inclusive_scan", pairs(overlapping)), input,
               {"begins.npy': segments 0 and 1 both have item 4: segments of a scan must not overlap"});
  expect_error(run("reduce", {"--segments", begins, "--unordered-segments", items()}), usage,
               {"--unordered-segments needs where each segment begins and where it ends"});
  expect_error(run("reduce", {"--segments", begins, "--segment-ends", ends, items()}), input,
               {"segment 1 begins at item 0, but segment 0 ends at item 6", "or add --unordered-segments"});
}

// --unordered-segments is suggested only where it helps.
TEST_F(RunSegments, PairsThatDoNotAscendAreToldWhatHelps) {
  const auto file = [&](const std::string& name, const std::vector<std::int32_t>& offsets) {
    return npy<std::int32_t>(name, "<i4", offsets);
  };
  const std::string begins = file("begins.npy", {4, 0, 3});
  const auto ends_at = [&](const std::string& ends) {
    return std::vector<std::string>{"--segments", begins, "--segment-ends", ends, items()};
  };
  const std::vector<std::string> apart = ends_at(file("apart.npy", {6, 2, 4})),
                                 overlapping = ends_at(file("overlapping.npy", {6, 5, 3}));
  for (const char* algorithm : {"inclusive_scan", "exclusive_scan"}) {
    expect_error(run(algorithm, apart), input,
                 {"segment 1 begins at item 0, but segment 0 ends at item 6: segments must ascend, or add "
                  "--unordered-segments\n"});
    expect_error(run(algorithm, overlapping), input,
                 {"begins.npy': segments 0 and 1 both have item 4: segments of a scan must not overlap\n"});
  }
  for (const auto& pairs : {apart, overlapping}) {
    expect_error(run("reduce", pairs), input, {"segments must ascend and not overlap, or add --unordered-segments\n"});
  }
  expect_error(run("inclusive_scan", ends_at(file("behind.npy", {6, 9, 9}))), input,
               {"segment 1 ends at item 9, but there are 6 items"});
}

TEST_F(RunSegments, BadPairsAreToldWhatToDo) {
  const auto file = [&](const std::string& name, const std::vector<std::int32_t>& offsets) {
    return npy<std::int32_t>(name, "<i4", offsets);
  };
  const auto told = [&](const std::string& begins, const std::string& ends, const std::vector<std::string>& parts) {
    expect_error(run("reduce", {"--segments", begins, "--segment-ends", ends, items()}), input, parts);
  };
  const std::string begins = file("begins.npy", {0, 3});
  told(begins, file("few.npy", {2}), {"begins.npy' has 2 offsets and", "few.npy' has 1: each segment begins and ends"});
  told(begins, file("falling.npy", {2, 1}), {"falling.npy", "segment 1 begins at item 3 and ends at 1"});
  told(begins, file("far.npy", {4, 5}), {"segment 1 begins at item 3, but segment 0 ends at item 4"});
  told(begins, file("behind.npy", {2, 7}), {"behind.npy", "segment 1 ends at item 7, but there are 6 items"});
  told(file("negative.npy", {-2, 3}), file("right.npy", {2, 5}), {"negative.npy", "segment 0 begins at item -2"});
  told(begins, npy<std::int64_t>("wide.npy", "<i8", {2, 5}), {"holds i32", "holds i64: save both with the same type"});
  expect_error(run("reduce", {"--segment-ends", begins, items()}), usage, {"--segment-ends needs the file"});
  expect_error(run("reduce", {"--segments", "-", "--segment-ends", "-", items()}), usage,
               {"--segments and --segment-ends both read standard input"});
}

TEST_F(RunSegments, OffsetsHaveOneDimension) {
  expect_error(run("reduce", {"--segments", make("table.csv", "a,b\n0,1\n2,3\n"), items()}), input,
               {"table.csv' has 2 columns, but one is read: write one number per line"});
  expect_error(run("reduce", {"--segments", make("halves.txt", "0.5\n1\n"), items()}), input,
               {"halves.txt', line 1: ", "; correct it, or choose another --key-type\n"});
  expect_error(run("reduce", {"--segments", make("bytes.txt", std::string("\0\1\2", 3)), items()}), input,
               {"bytes.txt' is not text; name a file of another format .npy or .bin"});
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }";
  header.append(117 - header.size(), ' ');
  const std::string matrix = "\x93NUMPY\x01" + std::string("\0\x76\0", 3) + header + "\n" + std::string(16, '\0');
  expect_error(run("reduce", {"--segments", make("matrix.npy", matrix), items()}), input,
               {"matrix.npy' holds an array of shape (2, 2), but offsets of segments have one dimension"});
  EXPECT_THAT(worked(call(words("run --help"))).out,
              AllOf(HasSubstr("--segment-ends"), Not(HasSubstr("--segment-length"))));
}

TEST_F(RunSegments, BadInputIsToldWhatToDo) {
  const auto told = [&](const std::string& offsets, const std::vector<std::string>& parts) {
    expect_error(run("reduce", {"--segments", offsets, items()}), input, parts);
  };
  told(npy<std::int32_t>("falling.npy", "<i4", {0, 4, 2}),
       {"falling.npy", "segment 1 begins at item 4 and ends at 2: offsets must ascend"});
  told(npy<std::int32_t>("behind.npy", "<i4", {0, 7}), {"segment 0 ends at item 7, but there are 6 items"});
  told(npy<std::int32_t>("negative.npy", "<i4", {-1, 6}), {"segment 0 begins at item -1, but there are 6 items"});
  told(npy<std::int16_t>("short.npy", "<i2", {0, 6}), {"holds i16: offsets of segments are i32, u32, i64 or u64"});
  told(npy<std::int32_t>("empty.npy", "<i4", {}), {"holds no offsets: of n segments there are n + 1 offsets"});
  const std::string right = make("offsets.txt", "0\n6\n");
  expect_error(run("reduce", {"--segments", right, "--row-length", "2", items()}), usage,
               {"--segments and --row-length both divide the items"});
  expect_error(run("reduce", {"--segments", right, "--axis", "0", items()}), usage,
               {"--segments and --axis both divide the items: remove one of them"});
  expect_error(run("reduce", {"--segments", "-", "-"}), usage, {"INPUT and --segments both read standard input"});
  expect_error(run("reduce", {"--segment-length", "2", items()}), usage, {"name their file with --segments"});
  expect_error(words("run select_if --op less --threshold 3 --type i32 --device host", {"--segments", right, items()}),
               usage, {"select_if does not take segments"});
}

TEST_F(RunSegments, OtherVerbsTakeTheMeanLength) {
  const std::vector<std::string> reduce = words("reduce --op plus --type f32 --size 2^24 --segment-length 64");
  EXPECT_THAT(worked(call(with(words("explain --device host"), reduce))).out,
              AllOf(HasSubstr("reduce plus f32 by u32, segments of 64"), HasSubstr("segment_pieces"),
                    HasSubstr("--segment-length 64"), Not(HasSubstr("--row-length"))));
  EXPECT_THAT(worked(call(with({"emit"}, with(reduce, words("--key-type u64"))))).out,
              HasSubstr("// reduce plus f32 by u64, segments\n"));
  expect_error(words("emit unique --type f32 --segment-length 64"), usage, {"unique does not take segments"});
  expect_error(with({"emit"}, with(reduce, words("--key-type i8"))), usage, {"offsets of segments cannot be i8"});
  expect_error(with({"emit"}, with(reduce, words("--row-length 2"))), usage, {"--row-length and --segment-length"});
  expect_error(with({"emit"}, with(reduce, words("--inner 2"))), usage, {"--inner needs the number of items along"});
  expect_error(words("emit reduce --op plus --type f32 --segment-length 0"), usage, {"--segment-length 0"});
}

// Made offsets, verification and measurement.
TEST_F(RunSegments, TunesBelongToTheClassOfTheMeanLength) {
  const std::string database = path("own.db");
  const auto problem = [&](const char* verb, const char* length) {
    return words(
        std::string(verb) + " reduce --op plus --type i32 --device host --size 3000 --segment-length " + length,
        {"--db", database});
  };
  (void)worked(call(with(problem("tune", "30"), words("--isolation none --max-trials 1"))));
  EXPECT_EQ(document(problem("explain", "30")).at("rung"), "exact");
  EXPECT_EQ(document(problem("explain", "33")).at("rung"), "exact");
  EXPECT_EQ(document(problem("explain", "3")).at("rung"), "built_in");
}

TEST_F(RunSegments, BenchTakesTheMeanLength) {
  const nlohmann::json json = document(
      words("bench inclusive_scan --op plus --type i32 --device host --size 1000 --segment-length 64 --samples 1"));
  ASSERT_EQ(json.at("comparisons").size(), 1u);
  EXPECT_EQ(json.at("comparisons")[0].at("problem").at("shape"), "segments of 64");
  EXPECT_EQ(json.at("length_distribution"), "mixed");
  const std::string sums = "bench reduce --op plus --type i32 --device host --size 1000 --segment-length 8 --samples 1";
  EXPECT_EQ(document(words(sums, {"--length-distribution", "one_giant"})).at("length_distribution"), "one_giant");
  EXPECT_THAT(worked(call(words(sums, {"--length-distribution", "one_giant"}))).out,
              StartsWith("lengths of segments: one_giant\n"));
  expect_error(words("bench reduce --op plus --type i32 --segment-length 8 --length-distribution normal"), usage,
               {"unknown distribution of lengths 'normal'", "power_law"});
  expect_error(words("bench reduce --op plus --type i32 --length-distribution equal"), usage,
               {"--length-distribution is of segments: give their mean length with --segment-length"});
}

}  // namespace
}  // namespace upsweep::cli
