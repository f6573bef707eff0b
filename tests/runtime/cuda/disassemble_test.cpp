// The disassembler is another program: found, run without a shell, and its failures told. The tools are stood in for.
#include "runtime/cuda/disassemble.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cuda/support.hpp"
#include "tests/support/test_folder.hpp"

namespace upsweep::runtime {
namespace {

using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

class Disassemble : public upsweep::test::TestFolder, public testing::Test {
 protected:
  Disassemble() : root_(path().string()) {
    // With spaces and a quote, which a shell would take apart.
    folder_ = root_ + "/cuda 13's bin";
    temporary_ = root_ + "/temporary";
    std::filesystem::create_directory(folder_);
    std::filesystem::create_directory(temporary_);
    variable_.emplace("TMPDIR", temporary_.c_str());
  }

  void make_tool(const std::string& name, const std::string& script) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::string disassembled() const {
    return disassemble(std::as_bytes(std::span(cubin_)), {"/nonexistent", folder_});
  }
  [[nodiscard]] bool nothing_left() const { return std::filesystem::is_empty(temporary_); }

  std::string cubin_ = "not quite a cubin";
  std::string root_;
  std::string folder_;
  std::string temporary_;
  std::optional<test::Variable> variable_;
};

TEST_F(Disassemble, RunsNvdisasmOnTheBytes) {
  make_tool("nvdisasm", "echo \"$# arguments\"; cat \"$1\"");
  EXPECT_EQ(disassembled(), "1 arguments\nnot quite a cubin");
  EXPECT_TRUE(nothing_left());
}

TEST_F(Disassemble, RunsCuobjdumpWhereThereIsNoNvdisasm) {
  make_tool("cuobjdump", "echo \"$# $1\"; cat \"$2\"");
  EXPECT_EQ(disassembled(), "2 --dump-sass\nnot quite a cubin");
  make_tool("nvdisasm", "echo preferred");
  EXPECT_EQ(disassembled(), "preferred\n");
  EXPECT_TRUE(nothing_left());
}

TEST_F(Disassemble, PassesLargeBinariesAndOutputs) {
  make_tool("nvdisasm", "cat \"$1\" \"$1\"");
  cubin_ = std::string(3'000'000, 'x') + "end";
  EXPECT_EQ(disassembled(), cubin_ + cubin_);
}

TEST_F(Disassemble, FailureIsAnErrorWithWhatTheToolSaid) {
  make_tool("nvdisasm", "echo 'nvdisasm fatal: wrong version' >&2; echo more; exit 3");
  try {
    (void)disassembled();
    FAIL() << "no error";
  } catch (const CompilerError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("nvdisasm failed with exit code 3: nvdisasm fatal: wrong version"),
                                    testing::Not(HasSubstr("more\n"))));
    EXPECT_THAT(error.details(), HasSubstr("more"));
  }
  EXPECT_TRUE(nothing_left());
}

TEST_F(Disassemble, CrashIsAnError) {
  make_tool("nvdisasm", "kill -SEGV $$");
  EXPECT_THAT(message_of<CompilerError>([&] { (void)disassembled(); }), HasSubstr("failed with signal 11"));
  EXPECT_TRUE(nothing_left());
}

TEST_F(Disassemble, ToolThatCannotStartIsAnError) {
  make_tool("nvdisasm", "");
  std::ofstream(folder_ + "/nvdisasm") << "#!/nonexistent/interpreter\n";
  EXPECT_THAT(message_of<CompilerError>([&] { (void)disassembled(); }),
              HasSubstr("cannot start the disassembler: No such file"));
  EXPECT_TRUE(nothing_left());
}

TEST_F(Disassemble, NoToolIsAnErrorThatSaysWhereAndWhat) {
  EXPECT_THAT(message_of<CompilerError>([&] { (void)disassembled(); }),
              AllOf(HasSubstr("neither nvdisasm nor cuobjdump was found"), HasSubstr("/nonexistent"),
                    HasSubstr(folder_), HasSubstr("install")));
  EXPECT_TRUE(nothing_left());
}

TEST_F(Disassemble, LooksInThePathAndInCudaHome) {
  std::filesystem::create_directory(root_ + "/bin");
  std::filesystem::rename(folder_, root_ + "/tools");
  folder_ = root_ + "/tools";
  make_tool("nvdisasm", "echo from the path");
  folder_ = root_ + "/bin";
  make_tool("nvdisasm", "echo from CUDA_HOME");
  const test::Variable home("CUDA_HOME", root_.c_str());
  const std::string tools = root_ + "/empty:" + root_ + "/tools";
  {
    const test::Variable path("PATH", tools.c_str());
    EXPECT_EQ(disassemble(std::as_bytes(std::span(cubin_))), "from the path\n");
  }
  {
    const std::filesystem::path here = std::filesystem::current_path();
    std::filesystem::current_path(root_);
    const test::Variable path("PATH", "tools:.::./tools");
    EXPECT_EQ(disassemble(std::as_bytes(std::span(cubin_))), "from CUDA_HOME\n") << "never a relative folder";
    std::filesystem::current_path(here);
  }
  const test::Variable path("PATH", "/nonexistent");
  EXPECT_EQ(disassemble(std::as_bytes(std::span(cubin_))), "from CUDA_HOME\n");
}

TEST_F(Disassemble, UnusableTemporaryFolderIsAnError) {
  make_tool("nvdisasm", "echo x");
  std::filesystem::remove(temporary_);
  EXPECT_THAT(message_of<CompilerError>([&] { (void)disassembled(); }), HasSubstr("TMPDIR"));
}

}  // namespace
}  // namespace upsweep::runtime
