# Writes a C++ file that holds every template as a raw string: cmake -DOUTPUT= -DROOT= -DFILES= -P embed_templates.cmake
# With their lengths: Clang counts the characters of so much text in no constant expression.
set(text "#include <string_view>\n\n#include \"generator/templates.hpp\"\n\nusing namespace std::string_view_literals;\n\nnamespace upsweep {\n\nstd::span<const TemplateFile> templates() noexcept {\n")
string(APPEND text "  static constexpr TemplateFile files[] = {\n")
foreach(file ${FILES})
  file(READ ${ROOT}/${file} content)
  string(APPEND text "      {\"${file}\", R\"upsweep(${content})upsweep\"sv},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace upsweep\n")
file(WRITE ${OUTPUT} "${text}")
