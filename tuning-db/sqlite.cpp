#include "tuning-db/sqlite.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <thread>
#include <upsweep/error.hpp>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {
namespace {

// The longest text or row that is read: far above any trial, far below what a damaged length field may claim.
constexpr int longest_value_bytes = 64 << 20;

const char* advice(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "other processes keep it locked; try again when they are done";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_TOOBIG:
    case SQLITE_CONSTRAINT:  // what is written was checked before
    case SQLITE_ERROR:       // of this program's own statements only a damaged schema makes an error
      return "it is damaged; move it away, then import an export of it or tune again";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "check the permissions of the file and its folder, or set UPSWEEP_DB or --db to another path";
    case SQLITE_FULL:
      return "free some disk space";
    case SQLITE_IOERR:
      return "check the disk, or set UPSWEEP_DB or --db to a path on another disk";
    default:
      return "if this happens again, set UPSWEEP_DB or --db to another path";
  }
}

}  // namespace

std::string as_line(std::string_view text) {
  std::string line(text.substr(0, 300));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return as_utf8(line);
}

Connection::Connection(const std::string& path, int flags, std::chrono::milliseconds patience)
    : path_(path), waiting_(std::make_unique<Waiting>()) {
  waiting_->patience = patience;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  sqlite3_extended_result_codes(handle, 1);
  waiting_->random = static_cast<std::uint64_t>(::getpid()) << 20 ^ reinterpret_cast<std::uintptr_t>(waiting_.get());
  sqlite3_busy_handler(handle, &Connection::wait, waiting_.get());
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest_value_bytes);
  // A file from elsewhere may hold a crafted schema: no triggers, no views, no functions with side effects.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

// SQLite's own handler looks less often the longer it has waited, up to every 100 ms: where many write all the time,
// who came late is served first, and some wait in vain. This one looks at random moments, whatever the wait was.
int Connection::wait(void* waiting, int times_before) noexcept {
  using std::chrono::steady_clock;
  auto& self = *static_cast<Waiting*>(waiting);
  if (times_before == 0) self.since = steady_clock::now();
  if (steady_clock::now() - self.since >= self.patience) return 0;
  self.random = self.random * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
  std::this_thread::sleep_for(std::chrono::microseconds(500 + (self.random >> 33) % 8000));
  return 1;
}

void Connection::execute(const char* sql) const {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

sqlite3_file* Connection::file() const {
  sqlite3_file* file = nullptr;
  const int code = sqlite3_file_control(handle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) fail(code);
  return file;
}

std::int64_t Connection::file_bytes() const {
  sqlite3_int64 size = 0;
  const int code = file()->pMethods->xFileSize(file(), &size);
  if (code != SQLITE_OK) fail(code);
  if (size != 0) return size;
  // SQLite calls a file of one byte empty (os_unix.c, unixFileSize) and would write over it.
  std::error_code error;
  return std::filesystem::file_size(path_, error) == 1 ? 1 : 0;
}

std::string Connection::header() const {
  std::string bytes(static_cast<std::size_t>(std::min<std::int64_t>(file_bytes(), 100)), '\0');
  if (bytes.empty()) return bytes;
  const int read = file()->pMethods->xRead(file(), bytes.data(), static_cast<int>(bytes.size()), 0);
  if (read != SQLITE_OK && read != SQLITE_IOERR_SHORT_READ) fail(read);
  return bytes;
}

void Connection::fail(int code) const {
  const bool has_message = handle_ && sqlite3_extended_errcode(handle()) == code;
  const char* message = has_message ? sqlite3_errmsg(handle()) : sqlite3_errstr(code);
  throw DatabaseError(
      fmt::format("the tuning database {} cannot be used ({}): {}", path_, as_line(message), advice(code)));
}

Statement::Statement(const Connection& connection, std::string_view sql) : connection_(&connection) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(connection.handle(), sql.data(), static_cast<int>(sql.size()), &handle, nullptr);
  handle_.reset(handle);
  check(code);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) connection_->fail(code);
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) connection_->fail(code);
  sqlite3_reset(handle_.get());
  return false;
}

void Statement::bind_one(int index, std::int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), index, value));
}

void Statement::bind_one(int index, std::string_view value) {
  // A null pointer would bind NULL.
  const char* data = value.data() != nullptr ? value.data() : "";
  check(sqlite3_bind_text64(handle_.get(), index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind_one(int index, std::nullptr_t) {
  check(sqlite3_bind_null(handle_.get(), index));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

bool Statement::is_integer(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_INTEGER;
}

std::int64_t Statement::integer(int column) const {
  if (!is_integer(column)) {
    throw RowError(fmt::format("{} is not an integer", sqlite3_column_name(handle_.get(), column)));
  }
  return sqlite3_column_int64(handle_.get(), column);
}

int Statement::small_integer(int column) const {
  const std::int64_t value = integer(column);
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    throw RowError(fmt::format("{} of {} is too large", sqlite3_column_name(handle_.get(), column), value));
  }
  return static_cast<int>(value);
}

std::string Statement::text(int column) const {
  if (sqlite3_column_type(handle_.get(), column) != SQLITE_TEXT) {
    throw RowError(fmt::format("{} is not text", sqlite3_column_name(handle_.get(), column)));
  }
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (data == nullptr) throw std::bad_alloc();  // the only reason SQLite has for a null text here
  std::string text(data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column)));
  if (as_utf8(text) != text) {
    throw RowError(fmt::format("{} is not UTF-8", sqlite3_column_name(handle_.get(), column)));
  }
  return text;
}

// IMMEDIATE: two writers that both began by reading could otherwise never finish.
Transaction::Transaction(const Connection& connection, Kind kind) : connection_(&connection) {
  connection.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself after a failure; then this is an error that changes nothing.
  if (connection_ != nullptr) sqlite3_exec(connection_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  connection_->execute("COMMIT");
  connection_ = nullptr;
}

}  // namespace upsweep::tuning_db
