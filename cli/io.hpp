// What a verb reads and writes, so that a test can put its own streams in the place of the terminal's.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <istream>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>

#include <nlohmann/json_fwd.hpp>

#include "cli/plain_text.hpp"

namespace upsweep::cli {

// Of the terminal that standard error goes to; 80 where it does not say.
[[nodiscard]] int terminal_columns();

// On a terminal: not with NO_COLOR (no-color.org), nor where TERM is `dumb`.
[[nodiscard]] bool colours_are_wanted();

class Io {
 public:
  // terminal: whether `err` is one, so that there is a status line. columns: its width, asked for at each status line.
  Io(std::istream& in, std::ostream& out, std::ostream& err, bool terminal,
     std::function<int()> columns = terminal_columns);
  ~Io();
  Io(const Io&) = delete;
  Io& operator=(const Io&) = delete;

  bool json = false;          // --json: one document on `out` and nothing else
  bool verbose = false;       // --verbose
  bool quiet = false;         // --quiet: errors and warnings alone on `err`
  bool colour = false;        // of errors and warnings
  bool full_configs = false;  // --configs full
  std::size_t width = 0;      // letters to a line of the terminal that `out` is; 0: it is not one

  [[nodiscard]] std::istream& in() noexcept { return *in_; }
  // For people to read: control characters, but line ends and tabs, come out as \x1b. What is written to it takes the
  // status line's place.
  [[nodiscard]] std::ostream& out() noexcept { return plain_; }
  // For what is asked for byte by byte: arrays, documents. The same place as out().
  [[nodiscard]] std::ostream& bytes() noexcept { return bytes_; }
  [[nodiscard]] bool terminal() const noexcept { return terminal_; }

  enum class Tone { account, warning, error };
  // As plain text as out(). Whole lines on `err`, in place of a status line that may be there. Thread-safe.
  void say(std::string_view lines, Tone tone = Tone::account);
  // Shows the line in place of the last status line, cut to the terminal's width. Does nothing if `err` is not a
  // terminal, or while the last line of `out` is unfinished. Thread-safe.
  void status(std::string_view line);

  // The document of --json.
  void print(const nlohmann::ordered_json& document);
  // Throws InputError if `out` did not take all that was written.
  void flush();

 private:
  // Where `out` is written: nothing is written beside a status line.
  class Guarded : public std::ostream {
   public:
    explicit Guarded(Io& io) : std::ostream(nullptr), buffer_(io) { rdbuf(&buffer_); }

   private:
    class Buffer : public std::streambuf {
     public:
      explicit Buffer(Io& io) : io_(&io) {}

     protected:
      int_type overflow(int_type c) override;
      std::streamsize xsputn(const char* text, std::streamsize size) override;
      int sync() override;

     private:
      Io* io_;
    };
    Buffer buffer_;
  };
  [[nodiscard]] std::string_view erasing();

  std::istream* in_;
  std::ostream* out_;
  Guarded bytes_;      // on out_
  PlainStream plain_;  // on bytes_
  std::ostream* err_;
  bool terminal_;
  std::function<int()> columns_;
  std::mutex mutex_;  // of err_, out_ and what follows
  bool status_shown_ = false;
  bool line_open_ = false;  // the last byte of `out` ends no line
};

// Keeps a status line up to date, twice a second from the first second on, for as long as it lives.
class Ticker {
 public:
  // line: called by another thread; nothing is shown where it is empty.
  Ticker(Io& io, std::function<std::string()> line);
  // What cannot tell how far it is: "reading 'data.npy', 3 s so far".
  Ticker(Io& io, const std::string& what);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace upsweep::cli
