#include "cli/delimited.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::cli {
namespace {

constexpr std::string_view blanks = " \t\f\v";
constexpr char any_blanks = ' ';  // as separator: runs of blanks
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Spreadsheets write these for a missing value. A line that starts with one is data and not a comment.
constexpr std::array<std::string_view, 7> error_values = {"#N/A",   "#DIV/0!", "#VALUE!", "#REF!",
                                                          "#NAME?", "#NUM!",   "#NULL!"};

std::uint64_t count_line_ends(std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    count += text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) ? 1 : 0;
  }
  return count;
}

}  // namespace

DelimitedText::DelimitedText(std::string_view text, const std::string& label) : text_(text), label_(label) {
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  // Wherever it stands, in a comment or in a column that is not asked for: what is around it is damaged too.
  if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos) {
    throw InputError(
        fmt::format("{}, line {}: the text has a zero byte; the file is damaged, or is binary (see --format)", label_,
                    count_line_ends(text_.substr(0, zero)) + 1));
  }
}

bool DelimitedText::is_blank(char c) const noexcept {
  return blanks.find(c) != std::string_view::npos && (c != separator_ || separator_ == any_blanks);
}

bool DelimitedText::at_line_end() const noexcept {
  return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r';
}

bool DelimitedText::at_comment() const noexcept {
  const std::string_view rest = text_.substr(at_);
  return rest.starts_with('#') &&
         std::ranges::none_of(error_values, [rest](std::string_view each) { return rest.starts_with(each); });
}

void DelimitedText::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

void DelimitedText::skip_line_end() {
  if (at_ == text_.size()) return;
  at_ += text_.substr(at_).starts_with("\r\n") ? 2 : 1;
  ++line_;
}

// Goes to the first field of the next line that holds data.
bool DelimitedText::find_record() {
  while (at_ < text_.size()) {
    skip_blanks();
    if (at_comment()) at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
    if (!at_line_end()) return true;
    skip_line_end();
  }
  return false;
}

// Told from the record at at_. Semicolons and tabs go before commas, which may be decimal marks or part of a name in
// such a table. A tab at the end of the line separates nothing.
void DelimitedText::find_separator() {
  std::string unquoted;
  bool inside = false;
  for (const char c : text_.substr(at_)) {
    if (c == '"') inside = !inside;
    if (!inside && (c == '\n' || c == '\r')) break;
    if (!inside) unquoted.push_back(c);
  }
  unquoted.erase(unquoted.find_last_not_of(blanks) + 1);
  separator_ = any_blanks;
  for (const char each : {',', '\t', ';'}) {
    if (unquoted.find(each) != std::string::npos) separator_ = each;
  }
}

bool DelimitedText::next() {
  count_ = 0;
  if (!find_record()) return false;
  if (separator_ == '\0') {
    find_separator();
    // A tab that was passed over as a blank may be the end of an empty first field.
    at_ = text_.find_last_of("\r\n", at_) + 1;
  }
  record_line_ = line_;
  for (;;) {
    read_field();
    if (at_line_end()) break;
    ++at_;
    if (separator_ != any_blanks) continue;
    skip_blanks();
    if (at_line_end()) break;
  }
  skip_line_end();
  return true;
}

// Reads up to the separator or the line's end behind the field.
void DelimitedText::read_field() {
  if (count_ == fields_.size()) fields_.emplace_back();
  std::string& field = fields_[count_++];
  field.clear();
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == '"') {
    read_quoted(field);
  } else {
    read_plain(field);
  }
}

void DelimitedText::read_quoted(std::string& field) {
  for (bool more = true; more;) {
    const std::size_t end = text_.find('"', ++at_);
    if (end == std::string_view::npos) fail("a double quote is not closed");
    field += text_.substr(at_, end - at_);
    at_ = end + 1;
    more = at_ < text_.size() && text_[at_] == '"';
    if (more) field += '"';
  }
  line_ += count_line_ends(field);
  if (separator_ == any_blanks && at_ < text_.size() && is_blank(text_[at_])) return;
  skip_blanks();
  if (!at_line_end() && text_[at_] != separator_) fail("there is text after a closing double quote");
}

void DelimitedText::read_plain(std::string& field) {
  const auto ends = [this](char c) {
    return c == '\n' || c == '\r' || (separator_ == any_blanks ? is_blank(c) : c == separator_);
  };
  const std::size_t start = at_;
  while (at_ < text_.size() && !ends(text_[at_])) ++at_;
  field = text_.substr(start, at_ - start);
  while (!field.empty() && is_blank(field.back())) field.pop_back();
  if (field.find('"') != std::string::npos) fail("a double quote stands within a field that does not start with one");
}

void DelimitedText::fail(std::string_view why) const {
  throw InputError(fmt::format(
      "{}, line {}: {}; enclose the whole field in double quotes, and write each quote inside it twice (RFC 4180)",
      label_, record_line_, why));
}

}  // namespace upsweep::cli
