#include <cstdint>
#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Run : public Command {};

TEST_F(Run, PrintsAScanOneValueALineAndTheAccountOnTheErrorStream) {
  const Called called = worked(
      call(words("run inclusive_scan --op plus --type i32 --device host", {make("numbers.txt", "3\n1\n-4\n1\n5\n")})));
  EXPECT_EQ(called.out, "3\n4\n0\n1\n6\n");
  EXPECT_THAT(called.err, HasSubstr("problem  inclusive_scan plus i32, 5 items of '"));
  EXPECT_THAT(called.err, HasSubstr("device   host"));
  EXPECT_THAT(called.err, HasSubstr("config   default (single_block)\n"));
  EXPECT_THAT(called.err, HasSubstr("rung     built_in: "));
  EXPECT_THAT(called.err, HasSubstr("time     "));
}

// Algorithms of the literature that no default has.
TEST_F(Run, TakesEachScheduleByName) {
  std::string items;
  for (int i = 1; i <= 1000; ++i) items += std::to_string(i) + "\n";
  const std::string file = make("numbers.txt", items);
  const std::vector<std::string> reduce = words("run reduce --op plus --type i64 --device host", {file});
  {
    const Variable force("UPSWEEP_FORCE_CONFIG", "ladder, step=unrolled, threads_per_block=64");
    const Called forced = worked(call(reduce));
    EXPECT_EQ(forced.out, "500500\n");
    EXPECT_THAT(forced.err, AllOf(HasSubstr("ladder"), HasSubstr("step=unrolled"), HasSubstr("rung     forced")));
  }
  {
    const Variable force("UPSWEEP_FORCE_CONFIG", "reduce_then_scan, block_scan=raking_16, warp_scan=ladner_fischer");
    const Called forced = worked(call(words("run inclusive_scan --op plus --type i64 --device host", {file})));
    EXPECT_THAT(forced.out, testing::EndsWith("\n499500\n500500\n"));
    EXPECT_THAT(forced.err, AllOf(HasSubstr("block_scan=raking_16"), HasSubstr("warp_scan=ladner_fischer")));
  }
  for (const char* config : {"reduce_then_scan", "scan_then_propagate, block_scan=blelloch", "hillis_steele",
                             "single_block, warp_scan=han_carlson"}) {
    const Called named =
        worked(call(words("run inclusive_scan --op plus --type i64 --device host", {file, "--config", config})));
    EXPECT_THAT(named.out, testing::EndsWith("\n499500\n500500\n")) << config;
    EXPECT_THAT(named.err, HasSubstr(std::string(config).substr(0, std::string(config).find(',')))) << config;
  }
}

TEST_F(Run, ReadsStandardInput) {
  const Called called = worked(call(words("run reduce --op maximum --type f64 --device host -"), "1.5\n7.25\n-2\n"));
  EXPECT_EQ(called.out, "7.25\n");
  EXPECT_THAT(called.err, HasSubstr("standard input"));
}

TEST_F(Run, ScansNpyToNpyWithAnInitialValueInAnotherType) {
  constexpr unsigned seed = 20261;
  std::mt19937 random(seed);
  std::vector<std::int32_t> in(5000);
  for (std::int32_t& item : in) item = static_cast<std::int32_t>(random());
  std::vector<std::int64_t> expected(in.size());
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), std::int64_t{-1000});

  const Called called = worked(call(words("run exclusive_scan --op plus --accumulate i64 --initial -1000 --device host",
                                          {make_array("in.npy", in), "-o", path("out.npy")})));
  EXPECT_THAT(called.out, IsEmpty());
  EXPECT_EQ(array<std::int64_t>("out.npy"), expected) << "seed " << seed;
  EXPECT_THAT(called.err, HasSubstr("out.npy', 5000 items of i64"));
  EXPECT_THAT(files(), ElementsAre("in.npy", "out.npy"));
}

// As the library's calls: the sum of 200 and 100 needs more than the items' 8 bits.
TEST_F(Run, AccumulatesInTheOutputType) {
  const std::string file = make("in.txt", "200\n100\n");
  const auto sum = [&](const std::vector<std::string>& more) {
    return call(with(words("run reduce --op plus --type u8 --device host", {file}), more)).out;
  };
  EXPECT_EQ(sum({"--output-type", "i64"}), "300\n");
  EXPECT_EQ(sum({"--output-type", "i64", "--accumulate", "u8"}), "44\n");
  EXPECT_EQ(sum({}), "44\n");
}

TEST_F(Run, ReducesRawBytesToRawBytes) {
  const std::vector<std::uint8_t> in{1, 2, 4, 8, 16, 255, 1};
  const Called called = worked(call(words("run reduce --op plus --type u8 --accumulate u64 --device host",
                                          {make_array("in.bin", in), "-o", path("out.raw")})));
  EXPECT_EQ(content("out.raw"), std::string("\x1f\x01\0\0\0\0\0\0", 8));  // 287
}

TEST_F(Run, RoundsToTheOutputType) {
  const Called called =
      worked(call(words("run inclusive_scan --op plus --type f16 --accumulate f32 --output-type f16 --device host",
                        {make("in.txt", "2048\n1\n1\n")})));
  EXPECT_EQ(called.out, "2048\n2048\n2050\n");  // 2049 is no f16: to even; the sum itself went on in f32
}

TEST_F(Run, ReadsAColumnByNameAndByNumber) {
  const std::string table = make("table.csv", "day,rain\n1,10\n2,20\n3,12\n");
  for (const char* column : {"rain", "2"}) {
    const Called called = worked(call(words("run inclusive_scan --op plus --type u16 --column",
                                            {column, "--device", "host", table, "-o", path("total.txt")})));
    EXPECT_EQ(content("total.txt"), "10\n30\n42\n") << column;
  }
}

TEST_F(Run, DoesTheMainJobOnTheExampleData) {
  const std::string data = UPSWEEP_SOURCE_DIR "/examples/seattle_rain.csv";
  const Called called = worked(
      call(words("run inclusive_scan --op plus --type i32 --column precipitation --device host --n 731", {data})));
  EXPECT_EQ(std::count(called.out.begin(), called.out.end(), '\n'), 731);
  EXPECT_TRUE(called.out.ends_with("\n20540\n")) << called.out;
}

TEST_F(Run, ReducesNothingToTheInitialValue) {
  const std::string empty = make("empty.bin", "");
  const std::vector<std::string> reduce = words("run reduce --op plus --type i32 --device host", {empty});
  EXPECT_EQ(call(reduce).out, "0\n");
  EXPECT_EQ(call(with(reduce, {"--initial", "-7"})).out, "-7\n");
  const Called scan =
      worked(call(words("run exclusive_scan --op plus --type i32 --device host", {empty, "-o", path("out.npy")})));
  EXPECT_THAT(array<std::int32_t>("out.npy"), IsEmpty());
}

TEST_F(Run, TakesAConfigAsTablesShowItAsJsonAFileOrAVariable) {
  const std::string json = R"({"schedule":"single_block","threads_per_block":128})";
  const std::string numbers = make("numbers.txt", "1\n2\n3\n");
  const std::vector<std::string> plain = words("run inclusive_scan --op plus --type i32 --device host", {numbers});
  const std::string shown = "config   single_block, threads_per_block=128\n";
  for (const std::string& config : {json, make("config.json", json), std::string("single_block, threads_per_block=128"),
                                    std::string("default,threads_per_block=128"), std::string("threads_per_block=128"),
                                    std::string("threads_per_block=128, schedule=single_block")}) {
    const auto arguments = with(plain, {"--config", config});
    const Called called = call(arguments);
    EXPECT_EQ(called.out, "1\n3\n6\n") << called.err;
    EXPECT_THAT(called.err, HasSubstr("rung     forced"));
    EXPECT_THAT(called.err, HasSubstr(shown));
    EXPECT_THAT(call(with(arguments, {"--configs", "full"})).err,
                AllOf(HasSubstr("config   {\"schedule\":\"single_block\""), HasSubstr("\"threads_per_block\":128"),
                      HasSubstr("\"warp_scan\"")));
  }
  for (const std::string& config : {json, path("config.json"), std::string("single_block, threads_per_block=128"),
                                    std::string("threads_per_block=128")}) {
    const Variable forced("UPSWEEP_FORCE_CONFIG", config);
    const Called called = call(plain);
    EXPECT_EQ(called.out, "1\n3\n6\n") << called.err;
    EXPECT_THAT(called.err, HasSubstr(shown)) << config;
  }
}

TEST_F(Run, CountsOneItemAsOne) {
  const Called called = worked(call(
      words("run inclusive_scan --op plus --type i32 --device host", {make("one.txt", "7\n"), "-o", path("out.npy")})));
  EXPECT_THAT(called.err, AllOf(HasSubstr("plus i32, 1 item of "), HasSubstr(", 1 item of i32\n")));
}

TEST_F(Run, WritesAnyFormatToStandardOutput) {
  const std::string numbers = make("numbers.txt", "1\n2\n");
  const std::vector<std::string> plain =
      words("run inclusive_scan --op plus --type u16 --device host", {numbers, "-o", "-", "--output-format"});
  const auto as = [&](const char* format) { return call(with(plain, {format})).out; };
  EXPECT_EQ(as("text"), "1\n3\n");
  EXPECT_EQ(as("raw"), std::string("\x01\0\x03\0", 4));
  const std::string npy = as("npy");
  EXPECT_TRUE(npy.starts_with("\x93NUMPY")) << npy;
  EXPECT_TRUE(npy.ends_with(std::string("\x01\0\x03\0", 4)));
}

TEST_F(Run, ComputesWithComplexValues) {
  const std::string file = make("waves.txt", "1+2i\n3\n-4i\n");
  const std::vector<std::string> verb = words("run exclusive_scan --op multiplies --type c64 --device host");
  EXPECT_EQ(call(with(verb, {"--initial", "1i", file})).out, "1i\n-2+1i\n-6+3i\n");
  EXPECT_EQ(call(with(verb, {"--json", file})).json().at("values"), nlohmann::json::parse(R"(["1", "1+2i", "3+6i"])"));
}

TEST_F(Run, DocumentHasValuesAndWhatTheAccountSays) {
  const Called called = worked(call(words("run inclusive_scan --op plus --type f32 --device host --json",
                                          {make("numbers.txt", "0.5\n1\ninf\nnan\n")})));
  const nlohmann::json json = called.json();
  EXPECT_EQ(json.at("values"), nlohmann::json::parse(R"([0.5, 1.5, "inf", "nan"])"));
  EXPECT_EQ(json.at("problem").at("algorithm"), "inclusive_scan");
  EXPECT_EQ(json.at("problem").at("size"), 4);
  EXPECT_EQ(json.at("device").at("device"), "host");
  EXPECT_TRUE(json.at("config").contains("schedule"));
  EXPECT_EQ(json.at("rung"), "built_in");
  EXPECT_GT(json.at("time_us").get<double>(), 0);
  EXPECT_EQ(json.at("items"), 4);
}

TEST_F(Run, DocumentNamesTheOutputFileInPlaceOfTheValues) {
  const Called called = worked(call({"--json", "run", "reduce", "--op", "bit_xor", "--type", "u64", "--device", "host",
                                     make("numbers.txt", "18446744073709551615\n1\n"), "-o", path("out.txt")}));
  const nlohmann::json json = called.json();
  EXPECT_EQ(json.at("output"), path("out.txt"));
  EXPECT_FALSE(json.contains("values"));
  EXPECT_EQ(content("out.txt"), "18446744073709551614\n");
}

TEST_F(Run, TakesAFileNamedLikeAVerb) {
  const std::filesystem::path before = std::filesystem::current_path();
  (void)make("cache", "4\n5\n");
  std::filesystem::current_path(std::filesystem::path(path("cache")).parent_path());
  const Called called = call(words("run reduce --op plus --type i32 --device host cache"));
  std::filesystem::current_path(before);
  EXPECT_EQ(called.code, 0) << called.err;
  EXPECT_EQ(called.out, "9\n");
}

TEST_F(Run, ReplacesAnOutputFileAsAWhole) {
  (void)make("out.txt", "much longer than what comes\n");
  const Called called = worked(call(words("run reduce --op minimum --type i8 --device host",
                                          {make("numbers.txt", "4\n-3\n"), "-o", path("out.txt")})));
  EXPECT_EQ(content("out.txt"), "-3\n");
}

}  // namespace
}  // namespace upsweep::cli
