// Files that are written, beside others who write and who are killed.
#include "base/file_bytes.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "tests/support/message_of.hpp"
#include "tests/support/test_folder.hpp"

namespace upsweep::base {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

void write(OutputFile& file, std::string_view text) {
  file.write(std::as_bytes(std::span(text)));
}

class FileBytes : public test::TestFolder, public ::testing::TestWithParam<PendingFile::Name> {
 protected:
  [[nodiscard]] static PendingFile::Name name() { return GetParam(); }

  void put(const std::string& to, std::string_view text) const {
    OutputFile file(path(to), name());
    write(file, text);
    file.commit();
  }

  // The system may have no files without a name in this folder.
  [[nodiscard]] bool has_no_name() const {
    const int descriptor = ::open(path("").c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor >= 0) ::close(descriptor);
    return descriptor >= 0 && name() == PendingFile::Name::none_if_possible;
  }
};

INSTANTIATE_TEST_SUITE_P(Names, FileBytes,
                         ::testing::Values(PendingFile::Name::none_if_possible, PendingFile::Name::random),
                         [](const auto& each) {
                           return each.param == PendingFile::Name::random ? "Random" : "NoneIfPossible";
                         });

TEST_P(FileBytes, AppearsWholeOrNotAtAll) {
  {
    OutputFile file(path("out.txt"), name());
    write(file, "new");
    EXPECT_FALSE(fs::exists(path("out.txt")));
  }
  EXPECT_THAT(files(), IsEmpty());
  put("out.txt", "first");
  EXPECT_EQ(content("out.txt"), "first");
  {
    OutputFile file(path("out.txt"), name());
    write(file, "second");
    EXPECT_EQ(content("out.txt"), "first");
  }
  EXPECT_EQ(content("out.txt"), "first");
  put("out.txt", "third");
  EXPECT_EQ(content("out.txt"), "third");
  EXPECT_THAT(files(), ElementsAre("out.txt"));
}

TEST_P(FileBytes, NewFilesHaveTheModeThatOthersHave) {
  const mode_t before = ::umask(027);
  put("new.txt", "x");
  ::umask(before);
  EXPECT_EQ(fs::status(path("new.txt")).permissions(), fs::perms(0640));
  fs::permissions(path("new.txt"), fs::perms(0604));
  put("new.txt", "y");
  EXPECT_EQ(fs::status(path("new.txt")).permissions(), fs::perms(0604));
}

TEST_P(FileBytes, TwoAtOnceDoNotMix) {
  OutputFile first(path("out.txt"), name());
  OutputFile second(path("out.txt"), name());
  write(first, "first");
  write(second, "2nd");
  second.commit();
  EXPECT_EQ(content("out.txt"), "2nd");
  first.commit();
  EXPECT_EQ(content("out.txt"), "first");
  EXPECT_THAT(files(), ElementsAre("out.txt"));
}

// Who knows the name that the file has while it is written could put a link there and have its target overwritten.
TEST_P(FileBytes, NoLinkThatWaitsIsFollowed) {
  (void)make("victim", "precious");
  for (pid_t near = ::getpid() - 2; near <= ::getpid() + 2; ++near) {
    fs::create_symlink("victim", path("out.txt.part-" + std::to_string(near)));
  }
  put("out.txt", "new");
  EXPECT_EQ(content("out.txt"), "new");
  EXPECT_EQ(content("victim"), "precious");
}

TEST_P(FileBytes, LinksAreFollowedToWhatIsNotThereYet) {
  fs::create_directory(path("folder"));
  fs::create_symlink("folder/real.txt", path("link.txt"));
  fs::create_symlink(path("link.txt"), path("link to link.txt"));
  put("link to link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  EXPECT_TRUE(fs::is_symlink(path("link to link.txt")));
  EXPECT_EQ(content("folder/real.txt"), "new");
  EXPECT_THAT(files(), ElementsAre("folder", "link to link.txt", "link.txt"));
}

TEST_P(FileBytes, LinksInACircleAndToNowhereAreRefused) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  fs::create_symlink("none/real.txt", path("c"));
  const auto refusal = [this](const char* to) { return test::message_of<InputError>([&] { put(to, "x"); }); };
  EXPECT_THAT(refusal("a"), AllOf(HasSubstr("a'"), HasSubstr("Too many levels of symbolic links")));
  EXPECT_THAT(refusal("c"), HasSubstr("No such file"));
  EXPECT_THAT(files(), ElementsAre("a", "b", "c"));
}

TEST_P(FileBytes, AKilledProcessLeavesNothingWhereFilesNeedNoName) {
  (void)make("out.txt", "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    OutputFile file(path("out.txt"), name());
    write(file, "half of what was to be");
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(content("out.txt"), "old");
  if (has_no_name()) {
    EXPECT_THAT(files(), ElementsAre("out.txt"));
  } else {
    EXPECT_THAT(files(), ElementsAre(AllOf(StartsWith(".upsweep-"), ::testing::EndsWith(".part")), "out.txt"));
  }
}

TEST_P(FileBytes, AFullDiskLeavesWhatWasThere) {
  (void)make("out.txt", "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      put("out.txt", std::string(1000, 'x'));
    } catch (const InputError&) {
      ::_exit(3);
    }
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(content("out.txt"), "old");
  EXPECT_THAT(files(), ElementsAre("out.txt"));
}

// In a process of its own, which has its descriptors closed.
TEST(StandardDescriptors, AreNotTakenByFilesThatAreOpenedLater) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (const int each : {0, 1, 2}) ::close(each);
    reserve_standard_descriptors();
    const int file = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    int wrong = file > 2 ? 0 : 1;
    try {
      (void)read_bytes("-");
      wrong += 2;  // nothing to read is no input either
    } catch (const InputError&) {
    }
    if (::write(1, "x", 1) >= 0) wrong += 4;
    if (::write(2, "x", 1) >= 0) wrong += 8;
    ::_exit(wrong);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace upsweep::base
