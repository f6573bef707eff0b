#include "generator/chunks.hpp"

#include <cctype>

namespace upsweep {
namespace {

bool starts_identifier(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool continues_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::string code_of(std::string_view text) {
  std::string code(text);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      while (i < code.size() && code[i] != '\n') code[i++] = ' ';
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      for (const std::size_t stop = end == std::string_view::npos ? code.size() : end + 2; i < stop; ++i) code[i] = ' ';
      --i;
    } else if (code[i] == '"') {
      for (++i; i < code.size() && code[i] != '"'; ++i) {
        if (code[i] == '\\') code[i++] = ' ';
        code[i] = ' ';
      }
    }
  }
  return code;
}

std::vector<std::string> tokens_of(std::string_view text) {
  const std::string code = code_of(text);
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < code.size();) {
    if (starts_identifier(code[i])) {
      const std::size_t begin = i;
      while (i < code.size() && continues_identifier(code[i])) ++i;
      tokens.push_back(code.substr(begin, i - begin));
    } else {
      if (std::isspace(static_cast<unsigned char>(code[i])) == 0) tokens.emplace_back(1, code[i]);
      ++i;
    }
  }
  return tokens;
}

bool is_identifier(std::string_view token) {
  return !token.empty() && continues_identifier(token[0]);
}

namespace {

// Index behind the group that opens at `at` with `open`.
std::size_t behind(const std::vector<std::string>& tokens, std::size_t at, const char* open, const char* close) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at] == open) ++depth;
    if (tokens[at] == close && --depth == 0) return at + 1;
  }
  return at;
}

bool is_any(const std::string& text, std::initializer_list<const char*> choices) {
  for (const char* choice : choices) {
    if (text == choice) return true;
  }
  return false;
}

// The name that the declaration beginning at `i` declares; moves `i` behind what was read. Empty: none.
std::string declared_name(const std::vector<std::string>& tokens, std::size_t& i) {
  std::string last;
  for (; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    if (token == "template" || token == "<") {
      i = behind(tokens, i, "<", ">") - 1;
    } else if (is_any(token, {"alignas", "__align__", "__launch_bounds__"})) {
      i = behind(tokens, i, "(", ")") - 1;
    } else if (is_any(token, {"(", "=", "{", ";", ":", "["})) {
      return last;
    } else if (starts_identifier(token[0])) {
      last = token;
    }
  }
  return last;
}

// Moves `i` behind the declaration: its semicolon, or the brace that closes a function's body.
void skip_declaration(const std::vector<std::string>& tokens, std::size_t& i) {
  int depth = 0;
  for (; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    if (token == "{" || token == "(") ++depth;
    if (token == "}" || token == ")") --depth;
    const bool body_ends = token == "}" && (i + 1 == tokens.size() || tokens[i + 1] != ";");
    if (depth == 0 && (token == ";" || body_ends)) {
      ++i;
      return;
    }
  }
}

std::vector<std::string> declared_names(std::string_view text) {
  const std::vector<std::string> tokens = tokens_of(text);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tokens.size();) {
    if (is_any(tokens[i], {"#", "static_assert"})) return {};
    names.push_back(declared_name(tokens, i));
    skip_declaration(tokens, i);
  }
  return names;
}

// Change of brace depth over a line of code.
int depth_change(std::string_view line) {
  int change = 0;
  for (const char c : code_of(line)) change += c == '{' ? 1 : c == '}' ? -1 : 0;
  return change;
}

bool is_comment(std::string_view line) {
  return line.substr(0, 2) == "//";
}

std::string_view include_of(std::string_view line) {
  constexpr std::string_view directive = "#include \"";
  if (!line.starts_with(directive)) return {};
  line.remove_prefix(directive.size());
  return line.substr(0, line.find('"'));
}

}  // namespace

std::set<std::string, std::less<>> identifiers(std::string_view text) {
  std::set<std::string, std::less<>> found;
  for (std::string& token : tokens_of(text)) {
    if (starts_identifier(token[0])) found.insert(std::move(token));
  }
  return found;
}

std::set<std::string, std::less<>> words(std::string_view text) {
  std::set<std::string, std::less<>> found;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i++;
    if (!starts_identifier(text[begin])) continue;
    while (i < text.size() && continues_identifier(text[i])) ++i;
    found.emplace(text.substr(begin, i - begin));
  }
  return found;
}

Chunks cut(std::string_view text) {
  Chunks result;
  Chunk current;
  current.comment_only = true;
  int depth = 0;
  const auto finish = [&] {
    if (!current.text.empty()) {
      if (!current.comment_only) current.names = declared_names(current.text);
      result.chunks.push_back(std::move(current));
    }
    current = {};
    current.comment_only = true;
  };
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty() && depth == 0) {
      finish();
    } else if (depth == 0 && !include_of(line).empty()) {
      result.includes.emplace_back(include_of(line));
    } else if (line != "#pragma once") {
      if (current.text.empty()) current.line = number;
      current.comment_only = current.comment_only && is_comment(line);
      current.text.append(line).push_back('\n');
      depth += depth_change(line);
    }
  }
  finish();
  return result;
}

}  // namespace upsweep
