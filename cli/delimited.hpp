// Records of a delimited text: RFC 4180 as a whole, and the tables that people write by hand.
//
// Own code, because the packaged libraries miss what a wrong line must be told by: libcsv has neither line numbers nor
// runs of blanks as separator, fast-cpp-csv-parser takes no line ends within quotes and fixes the columns at compile
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

// Fields are separated by commas, semicolons, tabs or runs of blanks, which the first record tells. A field in double
// quotes may hold separators and line ends, and "" for a quote. Records end with LF, CRLF or CR. Blanks around a field,
// empty lines and lines that start with '#' are passed over, but for the error values of spreadsheets ("#N/A").
class DelimitedText {
 public:
  // `label` names the text in messages; both must outlive this. Throws InputError for a text with a zero byte.
  DelimitedText(std::string_view text, const std::string& label);

  // Reads the next record; false at the end of the text. Throws InputError that names the line if quotes break RFC
  // 4180: a quote is not closed, text follows a closing quote, or a quote stands within a field that does not start
  // with one.
  [[nodiscard]] bool next();

  [[nodiscard]] std::span<const std::string> fields() const noexcept { return {fields_.data(), count_}; }
  // The line that the record starts on, counted from 1.
  [[nodiscard]] std::uint64_t line() const noexcept { return record_line_; }

 private:
  [[nodiscard]] bool is_blank(char c) const noexcept;
  [[nodiscard]] bool at_line_end() const noexcept;
  [[nodiscard]] bool at_comment() const noexcept;
  void skip_blanks();
  void skip_line_end();
  [[nodiscard]] bool find_record();
  void find_separator();
  void read_field();
  void read_quoted(std::string& field);
  void read_plain(std::string& field);
  [[noreturn]] void fail(std::string_view why) const;

  std::string_view text_;
  const std::string& label_;
  std::size_t at_ = 0;
  char separator_ = '\0';  // '\0' until the first record was seen
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 0;
  std::vector<std::string> fields_;  // the first count_ of them; the rest keep their memory for later records
  std::size_t count_ = 0;
};

}  // namespace upsweep::cli
