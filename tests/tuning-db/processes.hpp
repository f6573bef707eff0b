// Work in processes of their own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

namespace upsweep::tuning_db {

// Runs the work in a process of its own, whose exit status is 0 if nothing was thrown.
template <typename Work>
pid_t start(Work&& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
    ::_exit(1);
  }
  ::_exit(0);
}

inline int status_of(pid_t child) {
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

}  // namespace upsweep::tuning_db
