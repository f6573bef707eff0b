#include "cli/io.hpp"

#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

namespace upsweep::cli {

void Io::clear_status() {
  if (!status_shown_) return;
  *err_ << "\r\x1b[K";  // to the line's beginning, and erase it
  status_shown_ = false;
}

void Io::say(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  clear_status();
  *err_ << lines;
  if (!lines.ends_with('\n')) *err_ << '\n';
  err_->flush();
}

void Io::status(std::string_view line) {
  if (!terminal_) return say(line);
  const std::lock_guard lock(mutex_);
  clear_status();
  *err_ << line << std::flush;
  status_shown_ = true;
}

void Io::print(const nlohmann::ordered_json& document) {
  // Names of files and devices may hold bytes that are no UTF-8.
  *out_ << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void Io::flush() {
  const std::lock_guard lock(mutex_);
  clear_status();
  err_->flush();
  out_->flush();
  if (!*out_) throw InputError("standard output cannot be written: is the disk full, or the reader gone?");
}

Ticker::Ticker(Io& io, std::string what) {
  thread_ = std::jthread([this, &io, what = std::move(what)](const std::stop_token& stop) {
    constexpr std::chrono::seconds step{2};
    std::unique_lock lock(mutex_);
    for (auto elapsed = step;; elapsed += step) {
      if (changed_.wait_for(lock, stop, step, [&] { return stop.stop_requested(); })) return;
      io.status(fmt::format("upsweep: {}, {} s so far", what, elapsed.count()));
    }
  });
}

Ticker::~Ticker() = default;

}  // namespace upsweep::cli
