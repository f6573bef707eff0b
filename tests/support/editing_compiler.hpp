// A compiler of edited sources: for tests that need a kernel to be other than generated.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <upsweep/error.hpp>

#include "runtime/compiler.hpp"

namespace upsweep::test {

// Throws CompilerError where the text does not have `from`.
inline void replace_once(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw CompilerError("the generated source has no '" + from + "'");
  text.replace(at, from.size(), to);
}

class EditingCompiler final : public runtime::Compiler {
 public:
  // `name` keeps its binaries apart from those of other sources.
  EditingCompiler(std::shared_ptr<runtime::Compiler> compiler, std::string name, std::function<void(std::string&)> edit)
      : compiler_(std::move(compiler)), name_(std::move(name)), edit_(std::move(edit)) {}
  [[nodiscard]] std::string version() const override { return compiler_->version(); }
  [[nodiscard]] std::string options() const override { return compiler_->options() + " " + name_; }
  [[nodiscard]] runtime::Compiled compile(const Source& source, const std::string& architecture) override {
    Source edited = source;
    edit_(edited.text);
    return compiler_->compile(edited, architecture);
  }

 private:
  std::shared_ptr<runtime::Compiler> compiler_;
  std::string name_;
  std::function<void(std::string&)> edit_;
};

}  // namespace upsweep::test
