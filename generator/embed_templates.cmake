# Writes a C++ file that holds every template as a raw string: cmake -DOUTPUT= -DROOT= -DFILES= -P embed_templates.cmake
set(text "#include \"generator/templates.hpp\"\n\nnamespace upsweep {\n\nstd::span<const TemplateFile> templates() noexcept {\n")
string(APPEND text "  static constexpr TemplateFile files[] = {\n")
foreach(file ${FILES})
  file(READ ${ROOT}/${file} content)
  string(APPEND text "      {\"${file}\", R\"upsweep(${content})upsweep\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace upsweep\n")
file(WRITE ${OUTPUT} "${text}")
