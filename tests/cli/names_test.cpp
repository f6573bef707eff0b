// Names on the command line: what people call things, and what a mistyped one may have meant.
#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Names : public Command {
 protected:
  // A usage error of one line with these parts, and nothing else.
  void expect_error(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) const {
    const std::vector<std::string> before = files();
    const Called called = call(arguments);
    EXPECT_EQ(called.code, static_cast<int>(ErrorKind::usage)) << called.err;
    EXPECT_EQ(called.error_lines(), 1) << called.err;
    for (const std::string& part : parts) EXPECT_THAT(called.err, HasSubstr(part));
    EXPECT_THAT(called.out, IsEmpty());
    EXPECT_EQ(files(), before);
  }
};

TEST_F(Names, MistypedOptionsVerbsAndValuesAreToldWithTheNearest) {
  expect_error({"run", "reduce", "--op", "plus", "--typ", "i32", "f"},
               {"unknown option '--typ' of run: did you mean '--type'?", "--column", "upsweep run --help"});
  expect_error({"emit", "reduce", "--op", "plus", "--tpye=i32"}, {"unknown option '--tpye' of emit", "'--type'"});
  expect_error({"db", "list", "--shiped"}, {"'--shipped'", "upsweep db list --help"});
  expect_error({"tnue"}, {"unknown verb 'tnue': did you mean 'tune'? use one of run, tune"});
  expect_error({"devices", "gpu"}, {"unexpected argument 'gpu'", "upsweep devices --help"});
  expect_error(
      {"tune", "reduce", "--op", "plus", "--type", "i32", "--device", "host", "--size", "1K", "--strategy", "exhaust"},
      {"unknown search strategy 'exhaust': did you mean 'exhaustive'?"});
  expect_error({"tune", "reduce", "--op", "plus", "--type", "i32", "--device", "host", "--isolation", "non"},
               {"unknown isolation 'non': did you mean 'none'?"});
  expect_error({"bench", "reduce", "--op", "plus", "--type", "i32", "--mode", "colt"},
               {"unknown mode 'colt': did you mean 'cold'?"});
}

TEST_F(Names, ThatPeopleUseAreTaken) {
  (void)make("numbers.txt", "1\n2\n3\n");
  const Called sum = call({"run", "reduce", "--op", "sum", "--type", "int32", "--device", "host", path("numbers.txt")});
  EXPECT_EQ(sum.out, "6\n") << sum.err;
  const Called same = call({"run", "reduction", "--op", "+", "--type", "int", "--device", "host", path("numbers.txt")});
  EXPECT_EQ(same.out, "6\n") << same.err;
  const nlohmann::json json = document({"emit", "inclusive", "--op", "max", "--type", "float"});
  EXPECT_EQ(json.at("problem").at("operator"), "maximum") << "canonical names are printed";
  EXPECT_EQ(json.at("problem").at("input"), "f32");
}

}  // namespace
}  // namespace upsweep::cli
