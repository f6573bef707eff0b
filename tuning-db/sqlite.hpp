// SQLite behind RAII handles: every failure is a DatabaseError that names the file and says what to do.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace upsweep::tuning_db {

// A stored value that is not of the kind its column has: the row is to be skipped, the database is not.
struct RowError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The text as part of a line for people: control characters, which a damaged file may put into the names that SQLite
// speaks of, become '?', and what is beyond 300 bytes is cut off.
[[nodiscard]] std::string as_line(std::string_view text);

class Connection {
 public:
  // flags: SQLITE_OPEN_... The file is opened and neither read, locked nor changed. patience: how long statements wait
  // for other processes' locks.
  Connection(const std::string& path, int flags, std::chrono::milliseconds patience);

  [[nodiscard]] sqlite3* handle() const noexcept { return handle_.get(); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  // Statements of this program's own text, without values.
  void execute(const char* sql) const;
  // The first 100 bytes, where all of SQLite's identification lies; shorter if the file is. Takes no lock. The read
  // goes through SQLite's own handle: closing another one would drop this process's locks on the file (POSIX).
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::int64_t file_bytes() const;
  [[noreturn]] void fail(int code) const;

 private:
  [[nodiscard]] sqlite3_file* file() const;
  struct Close {
    void operator()(sqlite3* handle) const noexcept { sqlite3_close(handle); }
  };
  // Waits a while for another process's lock, or gives up.
  static int wait(void* waiting, int times_before) noexcept;
  struct Waiting {
    std::chrono::milliseconds patience{0};
    std::chrono::steady_clock::time_point since;
    std::uint64_t random = 0;
  };
  std::string path_;
  std::unique_ptr<Waiting> waiting_;  // SQLite holds a pointer to it
  std::unique_ptr<sqlite3, Close> handle_;
};

// One prepared statement; values are bound, never written into the text. Indices start at 1 for parameters and at 0
// for columns, as SQLite's do.
class Statement {
 public:
  Statement(const Connection& connection, std::string_view sql);

  // Binds all parameters in order. Integers, texts, nullptr for NULL, or any of them in an optional.
  template <typename... Values>
  Statement& bind(const Values&... values) {
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }
  // True: a row is there. False: done; the statement may be bound and stepped again.
  bool step();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] bool is_integer(int column) const;
  // These throw RowError if the column holds something else; a text that is no UTF-8 is something else.
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] int small_integer(int column) const;  // that fits an int
  [[nodiscard]] std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const noexcept { sqlite3_finalize(handle); }
  };
  void bind_one(int index, std::int64_t value);
  void bind_one(int index, std::string_view value);
  void bind_one(int index, std::nullptr_t);
  template <typename T>
  void bind_one(int index, const std::optional<T>& value) {
    value ? bind_one(index, *value) : bind_one(index, nullptr);
  }
  void check(int code) const;

  const Connection* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

// Rolls back unless committed.
class Transaction {
 public:
  enum class Kind { read, write };
  Transaction(const Connection& connection, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Connection* connection_;
};

}  // namespace upsweep::tuning_db
