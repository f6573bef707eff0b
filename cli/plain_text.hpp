// Makes text from outside safe for a terminal: names in files and databases must not control it.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace upsweep::cli {

// With control characters but line ends and tabs as \x1b, those of Unicode beyond ASCII (U+0080 to U+009F) as \x9b.
[[nodiscard]] std::string plain(std::string_view text, std::string_view escape = "\\x");

// One that is longer than a person reads gets its middle left out.
[[nodiscard]] std::string shortened(std::string_view text);

// As much of a line as so many columns of a terminal hold, "..." at its end where something is missing. A letter beyond
// ASCII counts as two columns, which is what the widest take.
[[nodiscard]] std::string fit_line(std::string_view line, int columns);

[[nodiscard]] std::string lower(std::string_view text);  // ASCII letters in lower case

// A stream that writes to another as plain() does.
class PlainStream : public std::ostream {
 public:
  explicit PlainStream(std::ostream& to);

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(std::ostream& to) : to_(&to) {}

   protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

   private:
    std::ostream* to_;
    std::string held_;  // the first byte of a letter whose second is not here yet
  };
  Buffer buffer_;
};

}  // namespace upsweep::cli
