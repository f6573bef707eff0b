// Names on the command line: what people call things, and what a mistyped one may have meant.
#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Names = Command;

TEST_F(Names, MistypedOptionsVerbsAndValuesAreToldWithTheNearest) {
  expect_error(words("run reduce --op plus --typ i32 f"), usage,
               {"unknown option '--typ' of run: did you mean '--type'?", "--column", "upsweep run --help"});
  expect_error(words("emit reduce --op plus --tpye=i32"), usage, {"unknown option '--tpye' of emit", "'--type'"});
  expect_error({"db", "list", "--shiped"}, usage, {"'--shipped'", "upsweep db list --help"});
  expect_error({"tnue"}, usage, {"unknown verb 'tnue': did you mean 'tune'? use one of run, tune"});
  expect_error({"devices", "gpu"}, usage, {"unexpected argument 'gpu'", "upsweep devices --help"});
  expect_error(words("tune reduce --op plus --type i32 --device host --size 1K --strategy exhaust"), usage,
               {"unknown search strategy 'exhaust': did you mean 'exhaustive'?"});
  expect_error(words("tune reduce --op plus --type i32 --device host --isolation non"), usage,
               {"unknown isolation 'non': did you mean 'none'?"});
  expect_error(words("bench reduce --op plus --type i32 --mode colt"), usage,
               {"unknown mode 'colt': did you mean 'cold'?"});
}

TEST_F(Names, ThatPeopleUseAreTaken) {
  (void)make("numbers.txt", "1\n2\n3\n");
  const Called sum = call(words("run reduce --op sum --type int32 --device host", {path("numbers.txt")}));
  EXPECT_EQ(sum.out, "6\n") << sum.err;
  const Called same = call(words("run reduction --op + --type int --device host", {path("numbers.txt")}));
  EXPECT_EQ(same.out, "6\n") << same.err;
  const nlohmann::json json = document(words("emit inclusive --op max --type float"));
  EXPECT_EQ(json.at("problem").at("operator"), "maximum") << "canonical names are printed";
  EXPECT_EQ(json.at("problem").at("input"), "f32");
}

}  // namespace
}  // namespace upsweep::cli
