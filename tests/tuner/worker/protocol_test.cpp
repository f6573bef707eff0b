#include "tuner/worker/protocol.hpp"
#include "tests/support/message_of.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/support/defined.hpp"

namespace upsweep::tuner {
namespace {

const Config config{.schedule = "lookback", .values = {{"items_per_thread", 7}, {"load", "direct"}}};
const Problem problem = make_problem(Algorithm::exclusive_scan, maximum, Type::f16, Type::f32, 12345);

std::string refusal(std::string_view line) {
  return test::error_of<ProtocolError>([&] { (void)answer_from_line(line); });
}

TEST(Protocol, RequestsComeBackAsTheyWere) {
  const std::vector<Request> requests{
      Greet{},
      Open{"cuda:1", problem, ~std::uint64_t{0}},
      Open{"host", in_rows(problem, 7, 1000), 1},  // the exact length, of which the name tells the class
      Open{"host", in_segments(problem, 7, 7000), 1},
      tuner::Run{7, config, {.size = std::uint64_t{1} << 33, .limit_us = 12.5, .samples = 3, .sample_us = 250}},
      tuner::Run{8, config, {.size = 1}},
      tuner::Run{8, config, {.size = 1, .misaligned = true, .density = Density::few}},
      tuner::Run{8, config, {.size = 1, .more_samples = 7, .near_us = 2.5}},
      tuner::Run{9, config, {.size = 1, .replay = false, .next = {config, config}}},
      Turn{{config, config}, {.size = 5}},
      Turn{{config, config}, {.size = 5, .replay = false, .moves = 3}},
      Keep{{}},
      Keep{{config}},
      Compile{problem, config, "sm_90"}};
  for (const Request& request : requests) {
    const std::string line = to_line(request);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(request_from_line(line), request) << line;
  }
}

TEST(Protocol, RequestsBringWhatIsNotBuiltIn) {
  for (const Problem& defined : {test::problem_of<test::Vector3>(Algorithm::reduce, 7),
                                 test::problem_of<test::Color>(Algorithm::inclusive_scan, 7),
                                 make_problem(test::negated_scan(), plus, Type::i32, Type::i32, 7)}) {
    const std::string line = to_line(Open{"host", defined, 1});
    EXPECT_EQ(request_from_line(line), Request(Open{"host", defined, 1})) << line;
    EXPECT_NE(line.find("\"text\":"), std::string::npos) << line;
  }
  EXPECT_EQ(to_line(Open{"host", problem, 1}).find("definitions"), std::string::npos);
}

TEST(Protocol, DefinitionsThatMakeNoSenseAreRefused) {
  const auto refused = [](const std::string& definitions) {
    const std::string line =
        R"({"do":"open","device":"host","seed":1,"problem":{"algorithm":"reduce","operator":"plus","input":"i32",)"
        R"("accumulator":"i32","output":"i32","size":1,"definitions":)" +
        definitions + "}}";
    EXPECT_THROW((void)request_from_line(line), ProtocolError) << line;
  };
  refused(R"([{"what":"thing"}])");
  refused(R"([{"what":"type","name":"A","size":4,"alignment":4,"fields":[{"type":"i32","offset":0}],)"
          R"("text":"struct A { int a; };"}])");  // not a type of the problem
  refused(R"([{"what":"type","name":"A","size":0,"alignment":1,"fields":[],"text":"struct A {};"}])");
  refused(R"([{"what":"type","name":"A","size":1.8e308,"alignment":4,"fields":[],"text":"struct A {};"}])");
  refused(R"([{"what":"operator","name":"f","type":"i32","commutative":true,"exact":true,"test_data":99,"text":"x"}])");
  refused(R"([{"what":"type","name":"A","size":1.8e308,"alignment":4,"fields":[],"text":"struct A {};"}])");
  refused(R"([{"what":"operator","name":"f","type":"i32","commutative":true,"exact":true,"test_data":0,"text":"x",)"
          R"("identity":[1,2]}])");
  refused(R"([{"what":"algorithm","name":"a","emission":7,"has_initial":false,"text":"x"}])");
}

TEST(Protocol, AnswersComeBackAsTheyWere) {
  const Outcome wrong{.verdict = Verdict::wrong, .failure = "wrong at index 3:\nexpected \"1\"", .binary = "ab"};
  const std::vector<Answer> answers{
      Greeting{3, "1.2"},
      Opened{"GPU"},
      Loaded{},
      Ran{wrong, 0.25, true},
      Ran{{.samples_us = {1.5, 2.5}, .more_us = {1.25}, .binary = "cd", .clock_mhz = 1980}, 1, false},
      Turned{{{1, 2}, {}}, 3},
      CompileResult{config, Verdict::measured, "", "ef", {{32, 8, 1024}, {40, 0, 0}}},
      CompileResult{config, Verdict::not_compiled, "refused", "", {}},
      CompileResult{config, Verdict::not_compiled, "killed", "", {}, true},
      Ran{{.verdict = Verdict::not_compiled, .failure = "killed", .may_pass = true}, 0, false},
      Failed{ErrorKind::device, "lost", true}};
  for (const Answer& answer : answers) {
    const std::string line = to_line(answer);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(answer_from_line(line), answer) << line;
  }
}

TEST(Protocol, WhatIsNoMessageIsShown) {
  EXPECT_NE(refusal("hello").find("not a message of this protocol ("), std::string::npos);
  EXPECT_NE(refusal("hello").find("): hello"), std::string::npos);
  for (const char* line : {"", "[]", "{}", "3", R"({"did":"dance"})", R"({"did":"run"})", R"({"did":1})",
                           R"({"did":"fail","kind":"odd","message":"","leaving":false})",
                           R"({"did":"turn","samples_us":[1],"busy_seconds":1})"}) {
    EXPECT_NE(refusal(line), "") << line;
  }
  // Numbers are not cut to fit, and true is no 1.
  for (const char* version : {"4294967301", "5.5", "true", "-4294967291", "\"5\""}) {
    const std::string line = fmt::format(R"({{"did":"greet","protocol":{},"generator":"1"}})", version);
    EXPECT_NE(refusal(line), "") << line;
  }
  EXPECT_EQ(refusal(R"({"did":"greet","protocol":5,"generator":"1"})"), "");
  EXPECT_THROW((void)request_from_line(to_line(Answer(Loaded{}))), ProtocolError);
  EXPECT_LT(refusal(std::string(100'000, 'x')).size(), 400u);
}

TEST(Protocol, BytesThatAreNoTextDoNotBreakIt) {
  const std::string line = to_line(Answer(Failed{ErrorKind::internal, "bad \xff byte", false}));
  EXPECT_EQ(std::get<Failed>(answer_from_line(line)).message, "bad \xef\xbf\xbd byte");
}

}  // namespace
}  // namespace upsweep::tuner
