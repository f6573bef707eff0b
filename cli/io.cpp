#include "cli/io.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "base/environment.hpp"

namespace upsweep::cli {

int terminal_columns() {
  constexpr int usual = 80;
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

bool colours_are_wanted() {
  const auto variable = [](const char* name) { return base::environment(name).value_or(""); };
  return variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

Io::Io(std::istream& in, std::ostream& out, std::ostream& err, bool terminal, std::function<int()> columns)
    : in_(&in),
      out_(&out),
      bytes_(*this),
      plain_(bytes_),
      err_(&err),
      terminal_(terminal),
      columns_(std::move(columns)) {}

Io::~Io() {
  *err_ << erasing() << std::flush;
}

// What takes the status line away: to the line's beginning, and erase it.
std::string_view Io::erasing() {
  return std::exchange(status_shown_, false) ? "\r\x1b[K" : "";
}

void Io::say(std::string_view lines, Tone tone) {
  if (quiet && tone == Tone::account) return;
  const std::lock_guard lock(mutex_);
  *err_ << erasing();
  constexpr std::string_view name = "upsweep:";
  if (colour && tone != Tone::account && lines.starts_with(name)) {
    constexpr std::string_view red = "\x1b[31m", yellow = "\x1b[33m", end = "\x1b[0m";
    *err_ << (tone == Tone::error ? red : yellow) << name << end;
    lines.remove_prefix(name.size());
  }
  *err_ << plain(lines);
  if (!lines.ends_with('\n')) *err_ << '\n';
  err_->flush();
}

void Io::status(std::string_view line) {
  if (!terminal_ || quiet) return;
  const std::lock_guard lock(mutex_);
  if (line_open_) return;
  out_->flush();  // what was written stands above it
  // A line as wide as the terminal would leave the cursor in the next one on some.
  *err_ << std::string(erasing()) + fit_line(plain(line), std::max(columns_() - 1, 0)) << std::flush;
  status_shown_ = true;
}

Io::Guarded::Buffer::int_type Io::Guarded::Buffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
}

std::streamsize Io::Guarded::Buffer::xsputn(const char* text, std::streamsize size) {
  if (size <= 0) return 0;
  const std::lock_guard lock(io_->mutex_);
  if (const std::string_view erase = io_->erasing(); !erase.empty()) *io_->err_ << erase << std::flush;
  io_->line_open_ = text[size - 1] != '\n';
  return io_->out_->write(text, size) ? size : 0;
}

int Io::Guarded::Buffer::sync() {
  const std::lock_guard lock(io_->mutex_);
  return io_->out_->flush() ? 0 : -1;
}

void Io::print(const nlohmann::ordered_json& document) {
  // Names of files and devices may hold bytes that are no UTF-8.
  // dump() leaves the control characters from 0x7f on as they are.
  bytes_ << plain(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace), "\\u00") << '\n';
}

void Io::flush() {
  {
    const std::lock_guard lock(mutex_);
    *err_ << erasing() << std::flush;
  }
  plain_.flush();
  bytes_.flush();
  if (!bytes_ || !plain_)
    throw InputError("cannot write to standard output: the disk is full, or the reading process has ended");
}

Ticker::Ticker(Io& io, std::function<std::string()> line) {
  if (!io.terminal()) return;
  thread_ = std::jthread([this, &io, line = std::move(line)](const std::stop_token& stop) {
    constexpr std::chrono::milliseconds first{1000}, step{500};
    std::unique_lock lock(mutex_);
    for (auto pause = first;; pause = step) {
      if (changed_.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) return;
      if (const std::string text = line(); !text.empty()) io.status(text);
    }
  });
}

Ticker::Ticker(Io& io, const std::string& what)
    : Ticker(io, [what, begin = std::chrono::steady_clock::now()] {
        const auto elapsed = std::chrono::steady_clock::now() - begin;
        return fmt::format("{}, {} s so far", what, std::chrono::duration_cast<std::chrono::seconds>(elapsed).count());
      }) {}

Ticker::~Ticker() = default;

}  // namespace upsweep::cli
