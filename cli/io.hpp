// What a verb reads and writes, so that a test can put its own streams in the place of the terminal's.
#pragma once

#include <condition_variable>
#include <functional>
#include <istream>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>

#include <nlohmann/json_fwd.hpp>

namespace upsweep::cli {

class Io {
 public:
  // terminal: whether `err` is one, so that progress can stay on one line.
  Io(std::istream& in, std::ostream& out, std::ostream& err, bool terminal)
      : in_(&in), out_(&out), err_(&err), terminal_(terminal) {}

  bool json = false;     // --json: one document on `out` and nothing else
  bool verbose = false;  // --verbose

  [[nodiscard]] std::istream& in() noexcept { return *in_; }
  [[nodiscard]] std::ostream& out() noexcept { return *out_; }
  [[nodiscard]] bool terminal() const noexcept { return terminal_; }

  // Whole lines on `err`, in place of a status line that may be there. Thread-safe.
  void say(std::string_view lines);
  // On a terminal the one line that is overwritten, elsewhere a line. Thread-safe.
  void status(std::string_view line);

  // The document of --json.
  void print(const nlohmann::ordered_json& document);
  // Throws InputError if `out` did not take all that was written.
  void flush();

 private:
  void clear_status();

  std::istream* in_;
  std::ostream* out_;
  std::ostream* err_;
  bool terminal_;
  std::mutex mutex_;
  bool status_shown_ = false;
};

// Says every two seconds how long something has been going on that cannot tell how far it is.
class Ticker {
 public:
  Ticker(Io& io, std::string what);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace upsweep::cli
