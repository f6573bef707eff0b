// Names, numbers and configs that do not exist or do not fit, and arguments that are missing.
#include <string>

#include <gmock/gmock.h>

#include "tests/cli/bad_input.hpp"

namespace upsweep::cli {
namespace {

using BadArguments = BadInput;

// ---- names and values

TEST_F(BadArguments, UnknownNames) {
  expect_error(scan_with("i32", "i33"), usage, {"unknown type 'i33'", "did you mean 'i32'", "f64"});
  expect_error(scan_with("plus", "plux"), usage, {"unknown operator 'plux'", "did you mean 'plus'", "maximum"});
  expect_error(scan_with("inclusive_scan", "inclusive_scam"), usage, {"did you mean 'inclusive_scan'", "reduce"});
  expect_error(scan_with("inclusive_scan", "scan"), usage, {"use inclusive_scan", "or exclusive_scan"});
  expect_error(scan_with("host", "gpu"), usage, {"unknown device 'gpu'", "cuda:N", "host"});
  expect_error(scan_with("host", "hots"), usage, {"did you mean 'host'"});
  expect_error(scan_with("host", "host/4"), usage,
               {"'host/4' does not name a device", "only GPUs have parts", "cuda:0/16"});
  expect_error(scan_with("host", "cuda:0/16k"), usage, {"'cuda:0/16k'", "number of multiprocessors", "cuda:0/16"});
  expect_error(scan({"--accumulate", "i128"}), usage, {"unknown type 'i128'"});
  expect_error(scan({"--format", "hdf5"}), usage, {"unknown format 'hdf5'", "npy"});
  expect_error(scan({"--format", "nyp"}), usage, {"did you mean 'npy'"});
  expect_error(scan({"--colour", "red"}), usage, {"unknown option '--colour' of run", "--op", "upsweep run --help"});
}

TEST_F(BadArguments, OperatorThatDoesNotTakeTheType) {
  expect_error(words("explain reduce --op bit_and --type f32 --size 1K --device host"), usage, {"bit_and", "f32"});
}

TEST_F(BadArguments, SelectionsOfPredicatesAlone) {
  expect_error(words("explain select_if --op plus --type f32 --size 1K --device host"), usage,
               {"select_if needs a predicate"});
  expect_error(words("explain reduce --op less --type f32 --size 1K --device host"), usage, {"less is a predicate"});
}

TEST_F(BadArguments, ConfigsOutsideTheSpace) {
  expect_error(scan({"--config", R"({"schedule":"lookback","colour":3})"}), usage,
               {"unknown parameter 'colour'", "items_per_thread"});
  expect_error(scan({"--config", R"({"schedule":"lookback","items_per_thread":1000})"}), usage,
               {"items_per_thread=1000", "use one of"});
  expect_error(scan({"--config", R"({"schedule":"sideways"})"}), usage, {"unknown schedule 'sideways'", "lookback"});
  expect_error(scan({"--config", R"({"schedule":"lookback","threads_per_block":"256"})"}), usage,
               {"threads_per_block takes a number, not the text \"256\"", "without quotes"});
  expect_error(scan({"--config", R"({"schedule":"loopback"})"}), usage, {"did you mean 'lookback'?"});
  expect_error(scan({"--config", R"({"worker_warp":8})"}), usage, {"unknown parameter 'worker_warp'"});
  expect_error(scan({"--config", "{not json"}), usage, {"JSON object"});
  expect_error(scan({"--config", path("missing.json")}), input, {"missing.json"});
  const Variable forced("UPSWEEP_FORCE_CONFIG", R"({"schedule":"lookback","items_per_thread":1000})");
  expect_error(scan(), usage, {"UPSWEEP_FORCE_CONFIG", "items_per_thread=1000"});
}

TEST_F(BadArguments, ConfigsInTheShortForm) {
  expect_error(scan({"--config", "lookback, colour=3"}), usage, {"unknown parameter 'colour'"});
  expect_error(scan({"--config", "lookback, items_per_thread=1000"}), usage, {"items_per_thread=1000", "use one of"});
  expect_error(scan({"--config", "lookback, items_per_thread"}), usage,
               {"'items_per_thread' in the config does not have the form NAME=VALUE: write lookback, NAME=VALUE"});
  expect_error(scan({"--config", "lokback"}), usage,
               {"the config 'lokback' is neither a schedule nor a file: did you mean 'lookback'?"});
  expect_error(scan({"--config", "lokback, load=direct"}), usage,
               {"unknown schedule 'lokback' for inclusive_scan: did you mean 'lookback'?"});
  expect_error(scan({"--config", "lookback warp_scan=sklansky"}), usage, {"has no comma in 'lookback warp_scan"});
  expect_error(scan({"--config", "warp_scam=sklansky"}), usage, {"unknown parameter 'warp_scam'"});
  expect_error(scan({"--config", path("lookback")}), input, {"lookback"});
  const Variable forced("UPSWEEP_FORCE_CONFIG", "lokback");
  expect_error(scan(), usage, {"UPSWEEP_FORCE_CONFIG: the config 'lokback' is neither", "did you mean 'lookback'?"});
  expect_error(scan({"--configs", "long"}), usage, {"--configs: 'long' is not known: use short or full"});
}

TEST_F(BadArguments, NumbersOfTrials) {
  for (const char* id : {"abc", "0", "-3", "1x", "99999999999999999999"}) {
    expect_error({"db", "show", id}, usage,
                 {"'" + std::string(id) + "' is not the id of a trial: `upsweep db list` shows"});
  }
}

TEST_F(BadArguments, WholeNumbers) {
  expect_error(words("bench --grid --samples 0"), usage, {"--samples: '0' is not a whole number from 1 to"});
  expect_error(words("bench --grid --offset-in -1"), usage, {"--offset-in: '-1' is not a whole number from 0 to"});
}

TEST_F(BadArguments, FiltersOfTheDatabase) {
  for (const char* verb : {"list", "export", "prune"}) {
    expect_error({"db", verb, "skan"}, usage, {"unknown algorithm 'skan'"});
    expect_error({"db", verb, "--op", "plux"}, usage, {"unknown operator 'plux'"});
    expect_error({"db", verb, "--type", "i33"}, usage, {"unknown type 'i33'"});
    expect_error({"db", verb, "--size", "1.5M"}, usage, {"size '1.5M'"});
  }
}

TEST_F(BadArguments, InitialValues) {
  expect_error(scan({"--initial", "1"}), usage, {"inclusive_scan", "remove --initial"});
  std::vector<std::string> exclusive = scan_with("inclusive_scan", "exclusive_scan");
  exclusive.insert(exclusive.end(), {"--initial", "many"});
  expect_error(exclusive, usage, {"--initial: 'many' is not"});
  exclusive.back() = "3000000000";
  expect_error(exclusive, usage, {"--initial: ", "3000000000", "i32"});
}

TEST_F(BadArguments, Sizes) {
  for (const char* size : {"", "ten", "1.5M", "2^64", "-1", "1MB", "99999999999999999999"}) {
    expect_error(words("explain reduce --op plus --type i32 --device host --size", {size}), usage,
                 {"size '" + std::string(size) + "'", "2^20"});
  }
  expect_error(scan({"--n", "3 items"}), usage, {"--n: size '3 items'"});
}

TEST_F(BadArguments, Budgets) {
  for (const char* budget : {"", "soon", "-3s", "0", "5 d", "nan"}) {
    expect_error(words("tune reduce --op plus --type i32 --device host --size 1K --budget", {budget}), usage,
                 {"budget '" + std::string(budget) + "'", "60s"});
  }
}

TEST_F(BadArguments, UnknownOptionsWithOneDash) {
  expect_error({"devices", "-o", "list.txt"}, usage, {"unknown option '-o' of devices; see `upsweep devices --help`"});
  expect_error({"db", "wanted", "-x"}, usage, {"unknown option '-x' of db wanted; see `upsweep db wanted --help`"});
  expect_error({"devices", "list.txt"}, usage, {"unexpected argument 'list.txt'"});
}

TEST_F(BadArguments, MissingArguments) {
  expect_error(words("run reduce --type i32 numbers.txt"), usage, {"--op is missing: name the operator"});
  expect_error(words("run reduce --op plus --type i32"), usage, {"INPUT"});
  expect_error(words("explain reduce --op plus --size 1K"), usage, {"--type"});
  expect_error({"db"}, usage, {"db needs a verb: list, show, export", "compact; see `upsweep db --help`"});
  expect_error({"cache"}, usage, {"cache needs a verb: list, clear; see `upsweep cache --help`"});
  expect_error({"db", "frobnicate"}, usage, {"unknown verb 'frobnicate' of db", "list, show"});
  expect_error({"--configs", "full", "frobnicate"}, usage, {"unknown verb 'frobnicate'"});
  expect_error({"db", "list", "--frobnicate"}, usage, {"--frobnicate", "see `upsweep db list --help`"});
  expect_error({}, usage, {"a verb is missing: use one of run", "tune", "doctor"});
  expect_error({"frobnicate", "--op", "plus"}, usage, {"unknown verb 'frobnicate'", "run", "doctor"});
}

}  // namespace
}  // namespace upsweep::cli
