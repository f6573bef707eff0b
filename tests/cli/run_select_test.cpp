// upsweep run for selections and reductions by key: where keys, flags and results are, and what bad input is told.
#include <complex>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/cli/bad_input.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunSelect : public BadInput {
 protected:
  // `run` on the host device.
  [[nodiscard]] static std::vector<std::string> run(const std::vector<std::string>& arguments) {
    return words("run --device host", arguments);
  }
  [[nodiscard]] std::string table() const {
    return make("sales.csv", "shop,sold,open\n3,1.5,1\n3,2,0\n-1,4,1\n3,-8,2\n3,0.25,0\n3,16,1\n");
  }
};

TEST_F(RunSelect, SelectIfPrintsTheItemsThatItKeeps) {
  const Called called = worked(call(run(
      {"select_if", "--op", "less", "--threshold", "3", "--type", "i32", make("numbers.txt", "3\n1\n-4\n1\n5\n")})));
  EXPECT_EQ(called.out, "1\n-4\n1\n");
  EXPECT_THAT(called.err, AllOf(HasSubstr("5 items of '"), HasSubstr("results  3 items\n")));
}

TEST_F(RunSelect, SelectIfWritesAFileOfAsManyItems) {
  constexpr unsigned seed = 77;
  std::mt19937 random(seed);
  std::vector<std::uint16_t> in(5000), expected;
  for (std::uint16_t& item : in) item = static_cast<std::uint16_t>(random());
  for (const std::uint16_t item : in) {
    if (item >= 40000) expected.push_back(item);
  }
  for (const char* count : {"u32", "u64"}) {
    const nlohmann::json json = document(run({"select_if", "--op", "greater_equal", "--threshold", "40000",
                                              "--accumulate", count, make_array("in.npy", in), "-o", path("out.npy")}));
    EXPECT_EQ(json.at("items"), expected.size()) << "seed " << seed;
    EXPECT_EQ(array<std::uint16_t>("out.npy"), expected) << "seed " << seed;
    EXPECT_FALSE(json.contains("values"));
  }
}

TEST_F(RunSelect, FlagsAreAColumnOrASecondFile) {
  const std::vector<std::string> flagged{"select_flagged", "--op", "not_equal_to", "--column", "sold", "--type", "f64"};
  const auto flags = [&](const std::vector<std::string>& more) { return call(with(run(flagged), more)); };
  EXPECT_EQ(flags({table(), "--flags", "open"}).out, "1.5\n4\n-8\n16\n");
  EXPECT_EQ(flags({table(), "--key", "3", "--threshold", "1"}).out, "2\n-8\n0.25\n") << "by number";
  EXPECT_EQ(flags({table(), "--flags-file", make_array("f.npy", std::vector<float>{0, 0, 0, 0.5f, 0, -1})}).out,
            "-8\n16\n")
      << "a .npy file says the type of its flags";
  const std::string mask = make("mask.npy", "\x93NUMPY\x01" + std::string("\0\x3c\0", 3) +
                                                "{'descr':'|b1','fortran_order':False,'shape':(6,)}         \n" +
                                                std::string("\0\1\0\0\0\1", 6));
  EXPECT_EQ(flags({table(), "--flags-file", mask}).out, "2\n16\n") << "what NumPy writes for a mask";
  EXPECT_EQ(flags({table(), "--key-file", make("f.txt", "0\n0\n0\n0\n300\n0\n"), "--key-type", "u16"}).out, "0.25\n");
  EXPECT_EQ(flags({table(), "--key-file", table(), "--key", "shop", "--key-type", "i8", "--threshold", "3"}).out,
            "4\n");
  const auto from_standard_input = with(run(flagged), {table(), "--key-file", "-", "--key-format", "raw"});
  EXPECT_EQ(call(from_standard_input, std::string("\0\0\1\0\0\0", 6)).out, "4\n");
}

TEST_F(RunSelect, ReduceByKeyPrintsKeysAndValues) {
  const std::vector<std::string> sums = run({"reduce_by_key", "--op", "plus", "--key", "shop", "--key-type", "i32",
                                             "--column", "sold", "--type", "f64", table()});
  const Called called = worked(call(sums));
  EXPECT_EQ(called.out, "3,3.5\n-1,4\n3,8.25\n");
  EXPECT_THAT(called.err, HasSubstr("results  3 items\n"));
  const nlohmann::json json = document(sums);
  EXPECT_EQ(json.at("keys"), nlohmann::json::parse("[3, -1, 3]"));
  EXPECT_EQ(json.at("values"), nlohmann::json::parse("[3.5, 4.0, 8.25]"));
  EXPECT_EQ(json.at("items"), 3);
  EXPECT_EQ(json.at("problem").at("key"), "i32");
}

TEST_F(RunSelect, RunsAndIndicesNeedNoOperator) {
  const std::string days = make("days.txt", "0\n0\n5\n5\n5\n0\n7\n");
  const auto printed = [&](const std::vector<std::string>& arguments) { return call(run(arguments)).out; };
  EXPECT_EQ(printed({"run_length_encode", "--type", "i32", days}), "0,2\n5,3\n0,1\n7,1\n");
  EXPECT_EQ(printed({"unique", "--type", "i32", days}), "0\n5\n0\n7\n");
  EXPECT_EQ(printed({"unique", "--op", "less_equal", "--type", "i32", days}), "0\n0\n");
  EXPECT_EQ(printed({"nonzero", "--type", "i32", days}), "2\n3\n4\n6\n");
  EXPECT_EQ(printed({"nonzero", "--op", "greater", "--threshold", "5", "--type", "i32", "--output-type", "u32", days}),
            "6\n");
  EXPECT_EQ(
      printed({"unique_by_key", "--key", "shop", "--key-type", "i32", "--column", "sold", "--type", "f64", table()}),
      "3,1.5\n-1,4\n3,-8\n");
  EXPECT_EQ(printed({"nontrivial_runs", "--type", "i32", days}), "0,2\n2,3\n");
  EXPECT_EQ(printed({"adjacent_difference", "--type", "i32", days}), "0\n0\n5\n0\n0\n-5\n7\n");
  EXPECT_EQ(printed({"adjacent_difference", "--op", "max", "--type", "i32", days}), "0\n0\n5\n5\n5\n5\n7\n");
  const nlohmann::json json = document(run({"run_length_encode", "--type", "i32", days}));
  EXPECT_EQ(json.at("keys"), nlohmann::json::parse("[0, 5, 0, 7]"));
  EXPECT_EQ(json.at("values"), nlohmann::json::parse("[2, 3, 1, 1]"));
  const Called written =
      call(run({"run_length_encode", "--type", "i32", days, "-o", path("n.npy"), "--key-output", path("k.npy")}));
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(array<std::int32_t>("k.npy"), (std::vector<std::int32_t>{0, 5, 0, 7}));
  EXPECT_EQ(array<std::uint32_t>("n.npy"), (std::vector<std::uint32_t>{2, 3, 1, 1}));
}

TEST_F(RunSelect, ReduceByKeyWritesOneTextOrTwoFiles) {
  const std::vector<std::string> sums = run({"reduce_by_key", "--op", "maximum", "--key", "shop", "--key-type", "i32",
                                             "--column", "sold", "--type", "f32", table()});
  const auto sums_with = [&](const std::vector<std::string>& more) { return worked(call(with(sums, more))); };
  EXPECT_THAT(sums_with({"-o", path("best.csv")}).err, HasSubstr("best.csv', 3 items of i32 and f32\n"));
  EXPECT_EQ(content("best.csv"), "3,2\n-1,4\n3,16\n");
  (void)sums_with({"-o", path("best.tsv")});
  EXPECT_EQ(content("best.tsv"), "3\t2\n-1\t4\n3\t16\n");

  const Called two = sums_with({"-o", path("best.npy"), "--key-output", path("shops.npy")});
  EXPECT_EQ(array<float>("best.npy"), (std::vector<float>{2, 4, 16}));
  EXPECT_EQ(array<std::int32_t>("shops.npy"), (std::vector<std::int32_t>{3, -1, 3}));
  EXPECT_THAT(two.err, AllOf(HasSubstr("best.npy', 3 items of f32\n"), HasSubstr("shops.npy', 3 items of i32\n")));
  EXPECT_EQ(sums_with({"--key-output", path("shops.txt")}).out, "2\n4\n16\n");
  EXPECT_EQ(content("shops.txt"), "3\n-1\n3\n");
  const nlohmann::json json = sums_with({"--key-output", path("shops.bin"), "--json"}).json();
  EXPECT_EQ(json.at("key_output"), path("shops.bin"));
  EXPECT_FALSE(json.contains("keys"));
  EXPECT_EQ(json.at("values").size(), 3u);
}

// Neither file is there if one of them cannot be written.
TEST_F(RunSelect, TwoFilesAreWrittenOrNone) {
  (void)make("sums.npy", "what was there");
  const Called called =
      call(run({"reduce_by_key", "--op", "plus", "--key", "shop", "--key-type", "i32", "--column", "sold", "--type",
                "f32", table(), "-o", path("sums.npy"), "--key-output", path("no/such/folder.npy")}));
  EXPECT_EQ(called.code, input) << called.err;
  EXPECT_EQ(content("sums.npy"), "what was there");
}

TEST_F(RunSelect, NothingHasNoResults) {
  const std::string header = make("empty.csv", "shop,sold\n"), nothing = make("nothing.csv", "");
  for (const std::string& file : {header, nothing}) {
    const std::vector<std::string> sums =
        run({"reduce_by_key", "--op", "plus", "--key", "shop", "--column", "sold", "--type", "f32", file});
    const Called called = worked(call(sums));
    EXPECT_THAT(called.out, IsEmpty());
    EXPECT_THAT(called.err, HasSubstr("results  0 items\n"));
    EXPECT_THAT(document(sums).at("keys"), IsEmpty());
  }
  const Called selected = worked(
      call(run({"select_if", "--op", "less", "--threshold", "0", "--type", "i32", nothing, "-o", path("none.npy")})));
  EXPECT_THAT(array<std::int32_t>("none.npy"), IsEmpty());
}

TEST_F(RunSelect, PartitionsSayHowManyItemsEachPartHas) {
  const std::string numbers = make("numbers.txt", "3\n1\n-4\n7\n5\n");
  const auto of_numbers = [&](const std::vector<std::string>& arguments) {
    return with(run(arguments), {"--op", "less", "--threshold", "3", "--type", "i32", numbers});
  };
  const Called stable = worked(call(of_numbers({"stable_partition"})));
  EXPECT_EQ(stable.out, "1\n-4\n3\n7\n5\n");
  EXPECT_THAT(stable.err, HasSubstr("results  5 items: 2 in front, 3 behind\n"));
  const Called three = worked(call(of_numbers({"three_way_partition", "--second-threshold", "6"})));
  EXPECT_EQ(three.out, "1\n-4\n3\n5\n7\n");
  EXPECT_THAT(three.err, HasSubstr("results  5 items: 2 first, 2 second, 1 rest\n"));
  const nlohmann::json json = document(of_numbers({"three_way_partition", "--second-threshold", "6"}));
  EXPECT_EQ(json.at("parts").dump(),
            R"([{"items":2,"name":"first"},{"items":2,"name":"second"},{"items":1,"name":"rest"}])");
  EXPECT_EQ(json.at("values"), (std::vector<int>{1, -4, 3, 5, 7}));
}

TEST_F(RunSelect, WrongSecondThresholdsSayWhatToDo) {
  const std::string numbers = make("numbers.txt", "1\n2\n3\n");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
    expect_error(with(run(arguments), {"--op", "less", "--threshold", "1", "--type", "i32", numbers}), usage, parts);
  };
  refused({"three_way_partition"}, {"--second-threshold is missing", "as in --second-threshold 10"});
  refused({"three_way_partition", "--second-threshold", "two"}, {"--second-threshold: 'two' is not a number"});
  refused({"partition", "--second-threshold", "2"},
          {"partition has no second threshold: remove --second-threshold, or use three_way_partition"});
}

TEST_F(RunSelect, WrongOptionsSayWhatToDo) {
  const std::string numbers = make("numbers.txt", "1\n2\n3\n");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
    expect_error(with(run(arguments), {"--type", "i32"}), usage, parts);
  };
  refused({"select_if", "--op", "less", numbers}, {"--threshold is missing: say what less compares with"});
  refused({"select_if", "--op", "less", "--threshold", "many", numbers}, {"--threshold: 'many' is not a number"});
  refused({"select_if", "--op", "plus", "--threshold", "1", numbers}, {"select_if needs a predicate"});
  refused({"select_if", "--op", "plus", numbers}, {"select_if needs a predicate"});
  refused({"select_if", "--op", "less", "--threshold", "1", "--initial", "2", numbers}, {"remove --initial"});
  refused({"select_if", "--op", "less", "--threshold", "1", "--key", "2", numbers},
          {"select_if has no keys or flags: remove --key"});
  refused({"reduce", "--op", "plus", "--threshold", "1", numbers}, {"reduce has no threshold: remove --threshold"});
  refused({"reduce", "--op", "plus", "--key-file", "-", numbers}, {"reduce has no keys or flags: remove --key-file"});
  refused({"select_flagged", "--op", "not_equal_to", numbers},
          {"the flags are missing: name their column of '", "with --key, or a file of flags with --key-file"});
  refused({"select_flagged", "--op", "equal_to", "--threshold", "300", "--key-file", numbers, numbers},
          {"--threshold: '300' is out of the range of u8"});
  refused({"select_flagged", "--op", "equal_to", "--key-output", path("k.npy"), "--key-file", numbers, numbers},
          {"select_flagged has no keys to write: remove --key-output"});
  refused({"run_length_encode", numbers, "-o", path("runs.npy")}, {"there are keys and values"});
  refused({"nonzero", "--op", "greater", numbers}, {"--threshold is missing"});
  refused({"nontrivial_runs", numbers, "-o", path("runs.npy")}, {"there are keys and values"});
  refused({"reduce", "--op", "minus", numbers}, {"minus is not associative, and reduce needs an operator that is"});
  refused({"adjacent_difference", "--op", "less", numbers}, {"less is a predicate"});
  refused({"adjacent_difference", "--initial", "3", numbers}, {"remove --initial"});
  refused({"reduce_by_key", "--op", "plus", "--key-file", "-", "-"}, {"INPUT and --key-file both read standard input"});
  refused({"reduce_by_key", "--op", "plus", "--key-file", numbers, numbers, "-o", path("sums.npy")},
          {".npy takes one array", "name a second file for the keys with --key-output"});
  refused({"reduce_by_key", "--op", "plus", "--key-file", numbers, numbers, "--output-format", "raw"},
          {"raw binary takes one array"});
  refused({"reduce_by_key", "--op", "plus", "--key-file", numbers, numbers, "-o", path("a.npy"), "--key-output",
           path("a.npy")},
          {"-o and --key-output both name '"});
  refused({"reduce_by_key", "--op", "plus", "--key-file", numbers, numbers, "-o", path("a.npy"), "--key-output",
           path("./a.npy")},
          {"-o and --key-output both name '"});
  refused({"reduce_by_key", "--op", "plus", "--key-file", numbers, numbers, "--key-format", "raw", "-o", path("a.npy"),
           "--key-output", path("k.xyz")},
          {"the format of '", "k.xyz' is unknown", "--output-format"});
  refused({"reduce_by_key", "--op", "plus", "--key", "2", "--key-format", "raw", numbers},
          {"--key-format is the format of --key-file: name that file, or remove --key-format"});
  // Before a file is read: there is none.
  refused({"select_if", "--op", "less", "--threshold", "5", path("none.txt"), "-o", path("result.xyz")},
          {"the format of '", "result.xyz' is unknown"});
  refused({"reduce_by_key", "--op", "plus", "--key-file", numbers, numbers, "--key-output", "-"},
          {"--key-output takes a file"});
  refused({"reduce_by_key", "--op", "plus", "--key-file", numbers, numbers, "--key-format", "nyp"},
          {"did you mean 'npy'"});
}

TEST_F(RunSelect, WrongFilesSayWhatToDo) {
  const auto keyed = [&](const std::vector<std::string>& more) {
    return with(run({"reduce_by_key", "--op", "plus", "--type", "f32"}), more);
  };
  const std::string values = make("values.txt", "1\n2\n3\n"), npy = make_array("v.npy", std::vector<float>{1, 2});
  expect_error(
      keyed({values, "--key-file", make("keys.txt", "1\n2\n")}), input,
      {"keys.txt' holds 2 items, but '", "values.txt' holds 3 items: there must be a key or flag for each item"});
  expect_error(keyed({table(), "--column", "sold", "--key", "place"}), usage,
               {"has no column 'place'; choose one with --key: a number from 1 to 3 or one of: shop, sold, open"});
  expect_error(keyed({table(), "--key", "shop"}), usage, {"has 3 columns; choose one with --column"});
  expect_error(keyed({values, "--key-file", table()}), usage, {"has 3 columns; choose one with --key"});
  expect_error(keyed({table(), "--column", "sold", "--key", "shop"}), input,
               {"line 4: '-1' is not a number of type u32; correct it, or choose another --key or --key-type"});
  expect_error(keyed({npy, "--key", "shop"}), usage,
               {"--key is only for text, but '", "name a second file with --key-file, or give --format text"});
  expect_error(keyed({npy, "--key-file", npy, "--key-type", "i64"}), input,
               {"but --key-type is i64; give --key-type f32"});
  expect_error(keyed({npy, "--key-file", npy, "--key", "shop"}), usage, {"remove --key, or give --key-format text"});
  expect_error(keyed({npy, "--key-file", path("missing.npy")}), input, {"missing.npy"});
  expect_error(keyed({npy, "--key-file", make_array("c.npy", std::vector<std::complex<float>>(2))}), usage,
               {"keys of type c64 cannot be compared"});
}

}  // namespace
}  // namespace upsweep::cli
