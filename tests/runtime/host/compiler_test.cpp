#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/host/host_device.hpp"
#include "runtime/kernel_store.hpp"
#include "tests/runtime/host/kernels.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/variable.hpp"

namespace upsweep::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

using upsweep::test::Variable;

class Folder : public upsweep::test::TestFolder {
 public:
  [[nodiscard]] std::string script(const std::string& name, const std::string& text) const {
    std::string file = make(name, "#!/bin/sh\n" + text);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }
};

Source good() {
  return host_source("KERNEL {}\n");
}

TEST(HostCompilerTest, KnowsItsVersion) {
  HostCompiler compiler;
  EXPECT_THAT(compiler.version(), MatchesRegex("(g|clang)\\+\\+ [0-9]+\\.[0-9]+.*"));
  EXPECT_EQ(compiler.version(), compiler.version());
  EXPECT_THAT(compiler.options(), HasSubstr("-std=c++20"));
}

TEST(HostCompilerTest, AsksForTheVersionOnce) {
  const Folder folder;
  const std::string log = (folder.path() / "asked").string();
  const Variable cxx("UPSWEEP_CXX", folder.script("counting", "echo x >> " + log + "; echo 'g++ (Test 1) 99.1.2'\n"));
  HostCompiler compiler;
  EXPECT_EQ(compiler.version(), "g++ 99.1.2");
  EXPECT_EQ(compiler.version(), "g++ 99.1.2");
  EXPECT_EQ(std::filesystem::file_size(log), 2u);
}

TEST(HostCompilerTest, KnowsClang) {
  const Folder folder;
  const Variable cxx("UPSWEEP_CXX", folder.script("some", "echo 'Debian clang version 14.0.6'; echo 'Target: x'\n"));
  EXPECT_EQ(HostCompiler().version(), "clang++ 14.0.6");
}

TEST(HostCompilerTest, UpsweepCxxGoesBeforeCxxAndMayHaveArguments) {
  const Folder folder;
  const Variable cxx("CXX", folder.script("second", "echo 'g++ 2.0'\n"));
  const Variable unset("UPSWEEP_CXX", std::nullopt);
  EXPECT_EQ(HostCompiler().version(), "g++ 2.0");
  const Variable first("UPSWEEP_CXX", folder.script("first", "echo \"g++ $1\"\n") + " 1.0");
  EXPECT_EQ(HostCompiler().version(), "g++ 1.0");
}

// Tuning results tell compilers apart by it.
TEST(HostCompilerTest, ItsVersionNamesTheUsersOptions) {
  const Folder folder;
  const std::string script = folder.script("compiler", "echo 'g++ (Debian) 12.2.0'\n");
  const auto version = [&](const std::string& arguments) {
    const Variable cxx("UPSWEEP_CXX", script + arguments);
    return HostCompiler().version();
  };
  EXPECT_EQ(version(""), "g++ 12.2.0");
  EXPECT_EQ(version(" -O3  -include some.h"), "g++ 12.2.0 -O3 -include some.h");
  EXPECT_EQ(version(" g++ -ffast-math"), "g++ 12.2.0 -ffast-math") << "as behind ccache";
}

// And they count, where upsweep has others.
TEST(HostCompilerTest, TheUsersOptionsGoBeforeItsOwn) {
  Source source = good();
  source.text += "\n#ifdef __OPTIMIZE__\n#error \"optimised\"\n#endif\n";
  const auto compile = [&](const char* command) {
    const Variable cxx("UPSWEEP_CXX", command);
    return HostCompiler().compile(source, "host").binary.size();
  };
  EXPECT_GT(compile("c++ -O0"), 0u);
  EXPECT_THAT([&] { static_cast<void>(compile("c++")); }, ThrowsMessage<SourceRefused>(HasSubstr("optimised")));
}

// Kernels that one command compiled are not another's: -ffast-math makes the maximum of 1, NaN and 2 a 2.
TEST(HostCompilerTest, TheWholeCommandAndItsVersionAreItsIdentity) {
  const Folder folder;
  const std::string script = folder.script("compiler", "echo 'g++ (Debian 12.2.0-14+deb12u1) 12.2.0'; echo more\n");
  const std::string other = folder.script("other", "echo 'g++ (Debian 12.2.0-14) 12.2.0'\n");
  const auto identity = [](const std::string& command) {
    const Variable cxx("UPSWEEP_CXX", command);
    return HostCompiler().identity();
  };
  const std::string plain = identity(script);
  EXPECT_THAT(plain, AllOf(StartsWith(script), HasSubstr("12.2.0-14+deb12u1"), HasSubstr("-ffp-contract=off")));
  EXPECT_EQ(plain, identity(script));
  EXPECT_THAT(identity(script + " -ffast-math"), StartsWith(script + " -ffast-math ["));
  EXPECT_NE(identity(script + " -O3"), identity(script + " -O2"));
  EXPECT_NE(identity(other).substr(other.size()), plain.substr(script.size())) << "another build of the same version";
}

// Two commands that say the same version of themselves.
TEST(HostCompilerTest, BinariesOfOneCommandAreNotTakenForAnothers) {
  const Folder folder;
  const auto origin = [&](const char* command) {
    const Variable cxx("UPSWEEP_CXX", command);
    KernelStore kernels(std::make_shared<HostDevice>(), std::make_shared<HostCompiler>(),
                        {.directory = folder.path() / "cache", .max_bytes = 1 << 26, .enabled = true});
    return kernels.get(good())->origin;
  };
  EXPECT_EQ(origin("c++"), Origin::compiled);
  EXPECT_EQ(origin("c++ -ffast-math"), Origin::compiled);
  EXPECT_EQ(origin("c++"), Origin::disk);
  EXPECT_EQ(origin("c++ -ffast-math"), Origin::disk);
}

// A kernel that uses a local variable which it has not set must not be right by luck.
TEST(HostCompilerTest, LocalVariablesHoldAPatternAtFirst) {
  Source source = good();
  source.text += R"(
__attribute__((noinline)) u32 unset_word() {
  u32 word;
  return word;
}
extern "C" __attribute__((visibility("default"))) u32 upsweep_test_unset() { return unset_word(); }
)";
  const Compiled compiled = HostCompiler().compile(source, "host");
  const Folder folder;
  const std::string path = (folder.path() / "kernel.so").string();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(compiled.binary.data()), std::streamsize(compiled.binary.size()));
  const std::unique_ptr<void, int (*)(void*)> library(dlopen(path.c_str(), RTLD_NOW), dlclose);
  ASSERT_NE(library, nullptr) << dlerror();
  auto* const unset = reinterpret_cast<std::uint32_t (*)()>(dlsym(library.get(), "upsweep_test_unset"));
  ASSERT_NE(unset, nullptr);
  EXPECT_THAT(unset(), AnyOf(0xFEFEFEFEu, 0xAAAAAAAAu)) << "the patterns of GCC and of Clang";
}

// GCC knows the option from version 12 on.
TEST(HostCompilerTest, OlderCompilersAreNotAskedToFillLocalVariables) {
  const Folder folder;
  const auto identity = [&](const char* banner) {
    const Variable cxx("UPSWEEP_CXX", folder.script("compiler", fmt::format("echo '{}'\n", banner)));
    return HostCompiler().identity();
  };
  EXPECT_THAT(identity("g++ (Debian) 11.4.0"), Not(HasSubstr("-ftrivial-auto-var-init")));
  EXPECT_THAT(identity("g++ (Debian) 12.2.0"), HasSubstr("-ftrivial-auto-var-init=pattern"));
  EXPECT_THAT(identity("Debian clang version 14.0.6"), HasSubstr("-ftrivial-auto-var-init=pattern"));
}

TEST(HostCompilerTest, AMissingCompilerSaysWhereItWasLookedFor) {
  {
    const Variable cxx("UPSWEEP_CXX", "/nonexistent");
    HostCompiler compiler;
    EXPECT_THAT([&] { static_cast<void>(compiler.compile(good(), "host")); },
                ThrowsMessage<CompilerError>(
                    AllOf(HasSubstr("UPSWEEP_CXX names the compiler /nonexistent"), HasSubstr("install g++"))));
  }
  const Folder empty;
  const Variable upsweep_cxx("UPSWEEP_CXX", std::nullopt);
  const Variable cxx("CXX", std::nullopt);
  const Variable path("PATH", empty.path().string());
  HostCompiler compiler;
  EXPECT_THAT([&] { static_cast<void>(compiler.version()); },
              ThrowsMessage<CompilerError>(AllOf(HasSubstr("no C++ compiler"), HasSubstr(empty.path().string()),
                                                 HasSubstr("set UPSWEEP_CXX"), Not(HasSubstr("\n")))));
}

TEST(HostCompilerTest, WhatCannotRunIsAnError) {
  const Folder folder;
  const std::string path = folder.script("broken", "exit 3\n");
  const Variable cxx("UPSWEEP_CXX", path);
  EXPECT_THAT([&] { static_cast<void>(HostCompiler().version()); },
              ThrowsMessage<CompilerError>(HasSubstr("--version failed")));
  std::ofstream(path) << "\x7f"
                         "ELF no program";
  EXPECT_THAT([&] { static_cast<void>(HostCompiler().version()); },
              ThrowsMessage<CompilerError>(HasSubstr("cannot be started")));
}

TEST(HostCompilerTest, AnErrorHasKeyLogAndNumberedSource) {
  Source source = good();
  source.text += "\nint oops = no_such_name;\n";
  HostCompiler compiler;
  try {
    static_cast<void>(compiler.compile(source, "host"));
    FAIL() << "compiled";
  } catch (const SourceRefused& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(source.key), HasSubstr("no_such_name"), Not(HasSubstr("\n"))));
    EXPECT_THAT(error.details(), AllOf(HasSubstr("no_such_name"), HasSubstr("   2 | #define __device__"),
                                       HasSubstr(" | int oops = no_such_name;")));
  }
}

TEST(HostCompilerTest, AKilledCompilerIsAnError) {
  const Folder folder;
  const Variable cxx("UPSWEEP_CXX",
                     folder.script("dying", "[ \"$1\" = --version ] && echo 'g++ 1.0' && exit 0\nkill -9 $$\n"));
  EXPECT_THAT([&] { static_cast<void>(HostCompiler().compile(good(), "host")); },
              ThrowsMessage<CompilerError>(AllOf(HasSubstr("signal 9"), HasSubstr(good().key))));
}

// A disk that is full says nothing of the source.
TEST(HostCompilerTest, WhatMayPassIsNoRefusal) {
  const Folder folder;
  const Variable cxx("UPSWEEP_CXX", folder.script("failing",
                                                  "[ \"$1\" = --version ] && echo 'g++ 1.0' && exit 0\n"
                                                  "echo 'as: error: no space left on device'; exit 1\n"));
  try {
    static_cast<void>(HostCompiler().compile(good(), "host"));
    FAIL() << "compiled";
  } catch (const SourceRefused& error) {
    FAIL() << error.what();
  } catch (const CompilerError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("no space left"), HasSubstr("free disk space")));
  }
}

TEST(HostCompilerTest, ErrorsAreToldInEnglish) {
  const Folder folder;
  const Variable language("LC_ALL", "de_DE.UTF-8");
  const Variable cxx("UPSWEEP_CXX", folder.script("asking", "echo \"g++ $LC_ALL\"\n"));
  EXPECT_EQ(HostCompiler().version(), "g++ C");
}

TEST(HostCompilerTest, RemovesWhatAKilledProcessLeft) {
  const Folder folder;
  const std::filesystem::path left = folder.path() / "upsweep-compile-AbCdEf";
  std::filesystem::create_directory(left);
  std::ofstream(left / "lock");
  std::ofstream(left / "source.cpp") << "int i;";
  std::filesystem::last_write_time(left, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  const Variable tmpdir("TMPDIR", folder.path().string());
  EXPECT_FALSE(HostCompiler().compile(good(), "host").binary.empty());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(HostCompilerTest, LeavesNothingBehindAndNeedsATemporaryFolder) {
  const Folder folder;
  {
    const Variable tmpdir("TMPDIR", folder.path().string());
    HostCompiler compiler;
    EXPECT_FALSE(compiler.compile(good(), "host").binary.empty());
    Source bad = good();
    bad.text += "#error no\n";
    EXPECT_THROW(static_cast<void>(compiler.compile(bad, "host")), CompilerError);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
  const Variable tmpdir("TMPDIR", (folder.path() / "none").string());
  EXPECT_THAT([&] { static_cast<void>(HostCompiler().compile(good(), "host")); },
              ThrowsMessage<CompilerError>(HasSubstr("TMPDIR")));
}

TEST(HostCompilerTest, ThreadsCompileAtOnce) {
  HostCompiler compiler;
  std::vector<std::size_t> sizes(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    threads.emplace_back([&, t] { sizes[t] = compiler.compile(good(), "host").binary.size(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::size_t size : sizes) EXPECT_GT(size, 1000u);
}

}  // namespace
}  // namespace upsweep::runtime::testing
