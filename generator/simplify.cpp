#include "generator/simplify.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace upsweep {
namespace {

using Tokens = std::vector<std::string>;

// Index of the token that closes the bracket at `open`, or the number of tokens.
std::size_t closing(const Tokens& tokens, std::size_t open, const char* opens, const char* closes) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += tokens[i] == opens ? 1 : tokens[i] == closes ? -1 : 0;
    if (depth == 0) return i;
  }
  return tokens.size();
}

// The names of parameters (each the last word of its declaration), with commas between them. Empty: one has no name, or
// takes a value that may be a struct (its type begins with a capital letter), which would then be copied once less.
Tokens parameter_names(const Tokens& tokens, std::size_t begin, std::size_t end) {
  Tokens names;
  bool may_be_struct = false;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string& token = tokens[i];
    const bool is_last = i + 1 == end || tokens[i + 1] == ",";
    if (token == "(" || token == "[" || token == "<") return {};
    if (!is_last) {
      may_be_struct = token == "&" || token == "*" ? false : may_be_struct || std::isupper(token[0]) != 0;
      continue;
    }
    if (i == begin || tokens[i - 1] == "," || !is_identifier(token) || may_be_struct) return {};
    names.push_back(token);
    if (i + 1 < end) names.push_back(tokens[++i]);
  }
  return names;
}

// A text and its code, which is the text with blanks for comments and strings. Both are changed together.
class Rewriter {
 public:
  Rewriter(const std::string& text, const Known& known) : text_(text), code_(code_of(text)), known_(known) {}

  std::string run() {
    for (std::size_t at = 0; at < code_.size();) {
      const std::size_t end = word_end(at);
      if (end == at || (at > 0 && is_identifier(code_.substr(at - 1, 1)))) {
        ++at;
        continue;
      }
      const std::string word = code_.substr(at, end - at);
      if (const auto constant = known_.constants.find(word); constant != known_.constants.end()) {
        at = decide(at, constant->second);
      } else if (known_.empty.contains(word)) {
        at = leave_out_call(at);
      } else if (known_.passed_on.contains(word) && is_call(at, end)) {
        at = replace(at, end, known_.passed_on.find(word)->second);
      } else {
        at = end;
      }
    }
    return text_;
  }

 private:
  std::size_t word_end(std::size_t at) const {
    while (at < code_.size() && is_identifier(code_.substr(at, 1))) ++at;
    return at;
  }
  std::size_t skip_blanks(std::size_t at) const { return std::min(code_.find_first_not_of(" \n", at), code_.size()); }
  bool is_there(std::size_t at, std::string_view what) const { return code_.compare(at, what.size(), what) == 0; }
  // The last character before, blanks left out.
  char before(std::size_t at) const {
    const std::size_t found = at == 0 ? std::string::npos : code_.find_last_not_of(" \n", at - 1);
    return found == std::string::npos ? '\0' : code_[found];
  }
  bool is_call(std::size_t at, std::size_t end) const {
    return (is_there(end, "(") || is_there(end, "<")) && before(at) != '.' && before(at) != '>';
  }
  // Behind the bracket that closes the one at `open`.
  std::size_t behind_bracket(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < code_.size(); ++i) {
      depth += std::string_view("([{").find(code_[i]) != std::string_view::npos   ? 1
               : std::string_view(")]}").find(code_[i]) != std::string_view::npos ? -1
                                                                                  : 0;
      if (depth == 0) return i + 1;
    }
    return code_.size();
  }
  // Behind the arguments of the call that begins at `at`.
  std::size_t call_end(std::size_t at) const { return behind_bracket(code_.find('(', at)); }
  // The first of `characters` outside of brackets.
  std::size_t find_outside(std::size_t at, std::string_view characters) const {
    while (at < code_.size() && characters.find(code_[at]) == std::string_view::npos) {
      at = std::string_view("([{").find(code_[at]) != std::string_view::npos ? behind_bracket(at) : at + 1;
    }
    return at;
  }
  std::size_t statement_end(std::size_t at) const {
    at = skip_blanks(at);
    if (code_[at] == '{') return behind_bracket(at);
    if (is_there(at, "if (") || is_there(at, "for (")) return statement_end(call_end(at));
    return find_outside(at, ";") + 1;
  }

  std::size_t replace(std::size_t begin, std::size_t end, const std::string& by) {
    text_.replace(begin, end - begin, by);
    code_.replace(begin, end - begin, by);
    return begin + by.size();
  }

  // Removes whole lines, if the statement [begin, end) has them for itself and no else follows. Returns where to go on.
  std::size_t remove_statement(std::size_t begin, std::size_t end, std::size_t otherwise) {
    const std::size_t line = code_.rfind('\n', begin) + 1, next = code_.find('\n', end);
    const bool is_alone = code_.find_first_not_of(' ', line) == begin && next != std::string::npos &&
                          code_.find_first_not_of(' ', end) == next && !is_there(skip_blanks(end), "else");
    return is_alone ? replace(line, next + 1, "") : otherwise;
  }

  // A call of an empty function, alone or under an `if` whose condition calls no function with arguments.
  std::size_t leave_out_call(std::size_t at) {
    const std::size_t end = statement_end(at), otherwise = word_end(at);
    std::size_t begin = at;
    if (before(at) == ')') {
      begin = code_.rfind("if (", at);
      if (begin == std::string::npos || skip_blanks(call_end(begin)) != at) return otherwise;
      for (std::size_t i = begin + 4; i < at; ++i) {
        if (code_[i] == '(' && is_identifier(code_.substr(i - 1, 1)) && code_[i + 1] != ')') return otherwise;
      }
    } else if (std::string_view("{};").find(before(at)) == std::string_view::npos) {
      return otherwise;
    }
    return call_end(at) + 1 == end ? remove_statement(begin, end, otherwise) : otherwise;
  }

  // A condition that is true or false, at `at`.
  std::size_t decide(std::size_t at, bool value) {
    const std::size_t otherwise = word_end(at);
    std::size_t end = is_there(otherwise, "(") ? behind_bracket(otherwise) : otherwise;
    if (at > 0 && code_[at - 1] == '!') {
      --at;
      value = !value;
    }
    const bool opens_if = at >= 4 && is_there(at - 4, "if (");
    const bool opens = std::string_view("(,=?|&").find(before(at)) != std::string_view::npos;
    end = skip_blanks(end);
    if (is_there(end, "&& ") && value && opens) return replace(at, end + 3, "");
    if (is_there(end, "|| ") && !value && opens && before(at) != '&') return replace(at, end + 3, "");
    if (is_there(end, "? ") && (before(at) == '(' || before(at) == ',' || before(at) == '=')) {
      return choose(at, end + 2, value);
    }
    if (!opens_if) return otherwise;
    const std::size_t condition_end = call_end(at - 4);
    if (value && end + 1 == condition_end && code_[end + 2] != '{') return replace(at - 4, condition_end + 1, "");
    const bool is_false =
        !value && (end + 1 == condition_end || (is_there(end, "&& ") && code_.find("||", end) > condition_end));
    return is_false ? remove_statement(at - 4, statement_end(at - 4), otherwise) : otherwise;
  }

  // The conditional expression at `at`, whose second operand begins at `first`.
  std::size_t choose(std::size_t at, std::size_t first, bool value) {
    const std::size_t colon = find_outside(first, "?:"), end = find_outside(colon, ",;)");
    if (code_[colon] != ':') return word_end(at + 1);
    const std::string chosen =
        value ? text_.substr(first, colon - 1 - first) : text_.substr(colon + 2, end - colon - 2);
    replace(at, end, chosen);
    return at;
  }

  std::string text_;
  std::string code_;
  const Known& known_;
};

}  // namespace

void Known::learn(const Chunk& chunk) {
  const std::string& name = chunk.names.front();
  const Tokens tokens = tokens_of(chunk.text);
  if (tokens.size() == 6 && tokens[1] == "bool" && tokens[3] == "=" && (tokens[4] == "true" || tokens[4] == "false")) {
    constants.emplace(name, tokens[4] == "true");
    return;
  }
  const std::size_t at = static_cast<std::size_t>(std::find(tokens.begin(), tokens.end(), name) - tokens.begin());
  if (at == 0 || at + 1 >= tokens.size() || tokens[at + 1] != "(") return;
  const std::size_t end = closing(tokens, at + 1, "(", ")");
  if (end + 2 >= tokens.size() || tokens[end + 1] != "{" || tokens.back() != "}") return;
  const Tokens body(tokens.begin() + static_cast<std::ptrdiff_t>(end) + 2, tokens.end() - 1);
  if (body.empty() && tokens[at - 1] == "void") empty.insert(name);
  if (body == Tokens{"return", "false", ";"}) constants.emplace(name, false);
  if (body == Tokens{"return", "true", ";"}) constants.emplace(name, true);

  // `return to(a, b);`, or with template arguments `return to<T>(a, b);`.
  std::size_t i = !body.empty() && body[0] == "return" ? 1 : 0;
  if (i + 1 >= body.size() || !is_identifier(body[i])) return;
  const std::string& to = body[i++];
  Tokens expected;
  if (tokens[0] == "template") {
    const std::size_t close = closing(tokens, 1, "<", ">");
    expected = parameter_names(tokens, 2, close);
    if (expected.empty()) return;
    expected.insert(expected.begin(), "<");
    expected.push_back(">");
  }
  const Tokens parameters = parameter_names(tokens, at + 2, end);
  if (parameters.empty() && end > at + 2) return;
  expected.push_back("(");
  expected.insert(expected.end(), parameters.begin(), parameters.end());
  expected.insert(expected.end(), {")", ";"});
  if (Tokens(body.begin() + static_cast<std::ptrdiff_t>(i), body.end()) == expected) passed_on.emplace(name, to);
}

std::string simplified(const std::string& text, const Known& known) {
  return Rewriter(text, known).run();
}

}  // namespace upsweep
