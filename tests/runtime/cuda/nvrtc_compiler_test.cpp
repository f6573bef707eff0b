// NVRTC behind the compiler interface: binaries, logs, errors, and what happens without it.
#include "runtime/cuda/nvrtc_compiler.hpp"

#include <cstring>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cuda/support.hpp"

namespace upsweep::runtime {
namespace {

using test::message_of;
using test::Variable;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Source source_of(std::string text) {
  return {.text = std::move(text), .entry = "twice", .key = "0123abcd", .launch = {}, .workspace = {}};
}

// 256 ints of static shared memory and one barrier.
Source good_source() {
  return source_of(R"(extern "C" __global__ void __launch_bounds__(256) twice(const int* in, int* out) {
  __shared__ int shared[256];
  shared[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = 2 * shared[255 - threadIdx.x];
}
)");
}

Source bad_source() {
  return source_of("extern \"C\" __global__ void twice(int* out) {\n  *out = undefined_name;\n}\n");
}

// e_machine of the ELF specification's header is 190 (EM_CUDA) in a cubin.
bool is_cubin(const Binary& binary) {
  unsigned short machine = 0;
  if (binary.size() < 64 || std::memcmp(binary.data(), "\177ELF", 4) != 0) return false;
  std::memcpy(&machine, binary.data() + 18, sizeof machine);
  return machine == 190;
}

bool contains(const Binary& binary, std::string_view text) {
  return std::string_view(reinterpret_cast<const char*>(binary.data()), binary.size()).find(text) != text.npos;
}

class EachArchitecture : public testing::TestWithParam<const char*> {};

TEST_P(EachArchitecture, GivesACubinForIt) {
  NvrtcCompiler compiler;
  const Compiled compiled = compiler.compile(good_source(), GetParam());
  EXPECT_TRUE(is_cubin(compiled.binary));
  EXPECT_TRUE(contains(compiled.binary, "twice"));
  EXPECT_THAT(compiled.ptx, AllOf(HasSubstr(".entry twice"), HasSubstr(std::string(".target ") + GetParam())));
  EXPECT_THAT(compiled.log, HasSubstr(std::string("'twice' for '") + GetParam()));
  EXPECT_EQ(compiled.log.find('\0'), std::string::npos);

  const auto report = parse_assembler_report(compiled.log);
  ASSERT_TRUE(report) << compiled.log;
  EXPECT_GT(report->registers, 3);
  EXPECT_LT(report->registers, 64);
  EXPECT_EQ(report->static_shared_bytes, 1024);
  EXPECT_EQ(report->spill_store_bytes, 0);
}

INSTANTIATE_TEST_SUITE_P(All, EachArchitecture,
                         testing::Values("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(NvrtcCompiler, SameSourceGivesSameBinary) {
  NvrtcCompiler one, two;
  EXPECT_EQ(one.compile(good_source(), "sm_90").binary, two.compile(good_source(), "sm_90").binary);
  EXPECT_NE(one.compile(good_source(), "sm_90").binary, one.compile(good_source(), "sm_80").binary);
}

TEST(NvrtcCompiler, TakesArchitecturesWithSpecificFeatures) {
  NvrtcCompiler compiler;
  EXPECT_TRUE(is_cubin(compiler.compile(good_source(), "sm_90a").binary));
}

TEST(NvrtcCompiler, NamesItselfAndItsOptions) {
  const NvrtcCompiler compiler;
  EXPECT_THAT(compiler.version(), testing::MatchesRegex("nvrtc 1[2-9]\\.[0-9]+"));
  EXPECT_EQ(compiler.options(), "--std=c++17");
  EXPECT_THAT(compiler.library(), HasSubstr("libnvrtc.so"));
  EXPECT_THAT(compiler.architectures(), AllOf(Contains("sm_75"), Contains("sm_90")));
}

TEST(NvrtcCompiler, CompilesInSeveralThreadsAtOnce) {
  NvrtcCompiler compiler;
  const Binary expected = compiler.compile(good_source(), "sm_80").binary;
  std::vector<int> right(4);
  {
    std::vector<std::jthread> threads;
    for (int& each : right) {
      threads.emplace_back([&compiler, &expected, &each] {
        for (int i = 0; i < 3; ++i) {
          each += compiler.compile(good_source(), "sm_80").binary == expected ? 1 : 0;
          try {
            (void)compiler.compile(bad_source(), "sm_80");
          } catch (const CompilerError&) {
            ++each;
          }
        }
      });
    }
  }
  EXPECT_THAT(right, testing::Each(6));
}

TEST(NvrtcCompiler, ErrorHasKeyArchitectureAndFirstErrorAndDetails) {
  NvrtcCompiler compiler;
  try {
    (void)compiler.compile(bad_source(), "sm_90");
    FAIL() << "compiled";
  } catch (const CompilerError& error) {
    EXPECT_THAT(error.what(), AllOf(StartsWith("kernel 0123abcd did not compile for sm_90: 0123abcd.cu(2): error: "),
                                    HasSubstr("undefined_name"), Not(HasSubstr("\n"))));
    EXPECT_THAT(error.details(), AllOf(HasSubstr("1 error detected"), HasSubstr("   2 |   *out = undefined_name;\n")));
  }
}

TEST(NvrtcCompiler, ErrorIsFoundBehindWarnings) {
  NvrtcCompiler compiler;
  const std::string message = message_of<CompilerError>([&] {
    (void)compiler.compile(
        source_of("extern \"C\" __global__ void twice(int* out) {\n  int unused;\n  *out = nothing;\n}\n"), "sm_90");
  });
  EXPECT_THAT(message, AllOf(HasSubstr("(3): error: "), HasSubstr("nothing")));
}

TEST(NvrtcCompiler, ErrorOfTheAssemblerIsACompilerError) {
  NvrtcCompiler compiler;
  const Source source =
      source_of("extern \"C\" __global__ void twice() {\n  asm volatile(\"no.such.instruction;\");\n}\n");
  EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.compile(source, "sm_90"); }),
              AllOf(StartsWith("kernel 0123abcd did not compile for sm_90: "), HasSubstr("error")));
}

// The assembler's report comes first, and a zero byte between it and the error.
TEST(NvrtcCompiler, ErrorOfTheAssemblerBehindItsReport) {
  NvrtcCompiler compiler;
  const Source source = source_of(
      "extern \"C\" __global__ void twice(int* out) {\n"
      "  __shared__ volatile int much[1 << 20];\n  much[out[1]] = 1;\n  out[0] = much[out[2]];\n}\n");
  EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.compile(source, "sm_90"); }),
              HasSubstr("uses too much shared data"));
}

TEST(NvrtcCompiler, UnknownArchitectureIsAnErrorThatNamesTheKnown) {
  NvrtcCompiler compiler;
  for (const char* architecture : {"sm_10", "sm_9000", "compute_90", "host", "", "sm_", "sm_90ab", "90"}) {
    EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.compile(good_source(), architecture); }),
                AllOf(HasSubstr(std::string("does not know the architecture '") + architecture + "'"),
                      HasSubstr("sm_75"), HasSubstr("sm_90"), HasSubstr("0123abcd"), HasSubstr(compiler.version())));
  }
}

TEST(MissingNvrtc, IsAnErrorAtFirstUseThatSaysWhereAndWhat) {
  NvrtcCompiler compiler(std::vector<std::string>{"/nonexistent/lib/libnvrtc.so.13", "libnone.so"});
  EXPECT_EQ(compiler.options(), "--std=c++17");
  const auto expected =
      AllOf(HasSubstr("NVRTC"), HasSubstr("not found"), HasSubstr("/nonexistent/lib"), HasSubstr("libnvrtc.so.13"),
            HasSubstr("libnone.so"), HasSubstr("install"), HasSubstr("UPSWEEP_NVRTC"), Not(HasSubstr("\n")));
  EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.version(); }), expected);
  EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.compile(good_source(), "sm_90"); }), expected);
}

TEST(MissingNvrtc, AnotherLibraryInItsPlaceIsAnError) {
  const NvrtcCompiler compiler(std::vector<std::string>{"libm.so.6"});
  EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.version(); }),
              AllOf(HasSubstr("libm.so.6"), HasSubstr("nvrtcGetErrorString"), HasSubstr("install")));
}

TEST(MissingNvrtc, VariableIsTheOnlyPlaceAndTheMessageSaysSo) {
  for (const std::string named : {"/nonexistent/libnvrtc.so", "/nonexistent", "nonexistent.so"}) {
    const Variable path("UPSWEEP_NVRTC", named.c_str());
    EXPECT_THAT(nvrtc_candidates(), testing::ElementsAre(named));
    const NvrtcCompiler compiler(nvrtc_candidates());
    EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.version(); }),
                HasSubstr("cannot be loaded from '" + named + "', the value of UPSWEEP_NVRTC: set UPSWEEP_NVRTC"));
  }
}

// `.b128` needs PTX 8.3.
TEST(OldNvrtc, IsAnErrorThatSaysWhichIsNeeded) {
  const NvrtcCompiler compiler(std::vector<std::string>{"/nonexistent/libnvrtc.so", UPSWEEP_FAKE_LIBNVRTC_12_2});
  const auto expected = AllOf(HasSubstr(std::string(UPSWEEP_FAKE_LIBNVRTC_12_2) + " is NVRTC 12.2"),
                              HasSubstr("install NVRTC 12.3 or newer"), Not(HasSubstr("\n")));
  EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.version(); }), expected);
  EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.identity(); }), expected);
  EXPECT_THAT(message_of<CompilerError>([&] { (void)compiler.library(); }), expected);
}

TEST(OldNvrtc, IsPassedOverForANewerOne) {
  const NvrtcCompiler compiler(std::vector<std::string>{UPSWEEP_FAKE_LIBNVRTC_12_2, UPSWEEP_FAKE_LIBNVRTC_12_3});
  EXPECT_EQ(compiler.version(), "nvrtc 12.3");
  EXPECT_EQ(compiler.library(), UPSWEEP_FAKE_LIBNVRTC_12_3);
}

// NVRTC tells no patch level, and a patch may mend a wrong binary.
TEST(NvrtcCompiler, ItsBuildIsPartOfItsIdentity) {
  const NvrtcCompiler with_id(std::vector<std::string>{UPSWEEP_FAKE_LIBNVRTC_12_3});
  EXPECT_EQ(with_id.identity(), "nvrtc 12.3 build 0123456789abcdef --std=c++17");
  const NvrtcCompiler without(std::vector<std::string>{UPSWEEP_FAKE_LIBNVRTC_PLAIN});
  EXPECT_THAT(without.identity(), testing::MatchesRegex("nvrtc 12\\.3 file of [0-9]+ bytes of [0-9]+\\.[0-9]+ .*"));
  EXPECT_THAT(NvrtcCompiler().identity(), AllOf(StartsWith(NvrtcCompiler().version() + " "), HasSubstr("--std=c++17")));
  EXPECT_GT(NvrtcCompiler().identity().size(), NvrtcCompiler().version().size() + 30);
}

TEST(NvrtcCompiler, OnlyARefusedSourceIsTheSourcesFault) {
  NvrtcCompiler no_memory(std::vector<std::string>{UPSWEEP_FAKE_LIBNVRTC_12_3});
  NvrtcCompiler refusing(std::vector<std::string>{UPSWEEP_FAKE_LIBNVRTC_PLAIN});
  EXPECT_THROW((void)refusing.compile(good_source(), "sm_90"), SourceRefused);
  try {
    (void)no_memory.compile(good_source(), "sm_90");
    FAIL() << "compiled";
  } catch (const SourceRefused& error) {
    FAIL() << error.what();
  } catch (const CompilerError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did not compile for sm_90"));
  }
}

TEST(NvrtcCandidates, AreTheLoadersNamesThenToolkitsAndWheels) {
  const Variable path("UPSWEEP_NVRTC", std::nullopt);
  const Variable home("CUDA_HOME", "/opt/cuda-home");
  const Variable root("CUDA_PATH", "/opt/cuda-path");
  const std::vector<std::string> found = nvrtc_candidates();
  ASSERT_GE(found.size(), 3u);
  EXPECT_EQ(found[0], "libnvrtc.so.13");
  EXPECT_EQ(found[1], "libnvrtc.so.12");
  EXPECT_THAT(found, testing::IsSupersetOf({"/opt/cuda-home/lib64/libnvrtc.so.13", "/opt/cuda-home/lib/libnvrtc.so.12",
                                            "/opt/cuda-path/nvidia/cu13/lib/libnvrtc.so.13",
                                            "/usr/local/cuda/lib64/libnvrtc.so"}));
  const auto place = [&](const char* text) { return std::find(found.begin(), found.end(), text); };
  EXPECT_LT(place("/opt/cuda-home/lib64/libnvrtc.so.13"), place("/opt/cuda-path/lib64/libnvrtc.so.13"));
  EXPECT_LT(place("/opt/cuda-path/lib64/libnvrtc.so.13"), place("/usr/local/cuda/lib64/libnvrtc.so.13"));
}

TEST(AssemblerReport, OfAKernelThatSpills) {
  // In the form of NVRTC 13.0; numbers made up, all different.
  const auto report = parse_assembler_report(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "ptxas         .     64 bytes stack frame, 60 bytes spill stores, 72 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 2 barriers, 64 bytes cumulative stack size, 1024 bytes smem\n"
      "ptxas info    : Compile time = 2.085 ms\n");
  const AssemblerReport expected{.registers = 24,
                                 .stack_bytes = 64,
                                 .spill_store_bytes = 60,
                                 .spill_load_bytes = 72,
                                 .static_shared_bytes = 1024,
                                 .barriers = 2};
  EXPECT_EQ(report, expected);
}

TEST(AssemblerReport, OfOlderAssemblers) {
  const auto report = parse_assembler_report(
      "ptxas info    : Compiling entry function 'k' for 'sm_75'\n"
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, 368 bytes cmem[0]\n");
  EXPECT_EQ(report, AssemblerReport{.registers = 10});
}

TEST(AssemblerReport, OfTheFirstOfSeveralKernels) {
  const auto report = parse_assembler_report(
      "ptxas info : Compiling entry function 'a' for 'sm_90'\nptxas info : Used 10 registers\n"
      "ptxas info : Compiling entry function 'b' for 'sm_90'\nptxas info : Used 20 registers, 512 bytes smem\n");
  EXPECT_EQ(report, AssemblerReport{.registers = 10});
}

TEST(AssemblerReport, IsNoneWhereTheLogHasNone) {
  EXPECT_EQ(parse_assembler_report(""), std::nullopt);
  EXPECT_EQ(parse_assembler_report("k.cu(1): warning: variable declared but never referenced\n"), std::nullopt);
  EXPECT_EQ(parse_assembler_report("Compiling entry function 'k'\nUsed many registers\n"), std::nullopt);
  EXPECT_EQ(parse_assembler_report("Compiling entry function 'k'\nUsed 99999999999 registers\n"), std::nullopt);
}

// A kernel that keeps 64 values alive in the 32 registers that 2048 threads a multiprocessor leave each.
TEST(AssemblerReport, OfARealLogWithSpills) {
  std::string text =
      "extern \"C\" __global__ void __launch_bounds__(1024, 2) twice(const volatile float* in, volatile float* out) "
      "{\n";
  for (int i = 0; i < 64; ++i) text += "float v" + std::to_string(i) + " = in[" + std::to_string(i) + "];\n";
  for (int i = 0; i < 64; ++i) text += "out[" + std::to_string(i) + "] = v" + std::to_string(63 - i) + ";\n";
  NvrtcCompiler compiler;
  const Compiled compiled = compiler.compile(source_of(text + "}\n"), "sm_90");
  const auto report = parse_assembler_report(compiled.log);
  ASSERT_TRUE(report) << compiled.log;
  EXPECT_LE(report->registers, 32);
  EXPECT_GT(report->spill_store_bytes, 0) << compiled.log;
  EXPECT_GT(report->spill_load_bytes, 0) << compiled.log;
  EXPECT_GE(report->stack_bytes, 4 * 30) << compiled.log;
  EXPECT_EQ(report->static_shared_bytes, 0);
}

}  // namespace
}  // namespace upsweep::runtime
