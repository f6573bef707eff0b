#include "cli/run_output.hpp"

#include <cstddef>
#include <cstring>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/scalar.hpp>

#include "base/file_bytes.hpp"
#include "cli/count.hpp"

namespace upsweep::cli {
namespace {

bool is_printed(const RunArguments& arguments) {
  return arguments.output.empty() || arguments.output == "-";
}

// What goes to the output, the file or standard output: all that has no file of its own.
OutputContent main_content(const RunArguments& arguments, const RunResults& results) {
  const std::span<const Array> arrays = arguments.key_output.empty() ? std::span(results.arrays) : results.values();
  return {is_printed(arguments) ? "-" : arguments.output, parse_format(arguments.output_format), arrays};
}

// The contents of the files that the arguments name.
std::vector<OutputContent> files_of(const RunArguments& arguments, const RunResults& results) {
  std::vector<OutputContent> files;
  if (!is_printed(arguments)) files.push_back(main_content(arguments, results));
  if (!arguments.key_output.empty()) {
    files.push_back({arguments.key_output, parse_format(arguments.output_format), results.keys()});
  }
  return files;
}

// Numbers as JSON has them; what it lacks, infinities, NaN and complex values, as text.
Json values_of(const Array& array) {
  Json values = Json::array();
  for (std::size_t at = 0; at < array.bytes.size(); at += size_of(array.type)) {
    Scalar scalar;
    scalar.type = array.type;
    std::memcpy(scalar.bytes.data(), array.bytes.data() + at, size_of(array.type));
    const std::string text = to_string(scalar);
    Json number = Json::parse(text, nullptr, false);
    const bool is_number = number.is_number() && !is_complex(array.type);
    values.push_back(is_number ? std::move(number) : Json(text));
  }
  return values;
}

}  // namespace

void write_results(const RunArguments& arguments, const RunResults& results, Io& io) {
  if (const std::vector<OutputContent> files = files_of(arguments, results); !files.empty()) {
    const Ticker ticker(io, "4 of 4: writing " + base::input_label(files.front().path));
    write_arrays(files);
  }
  if (!is_printed(arguments) || io.json) return;
  OutputContent content = main_content(arguments, results);
  content.format = output_format("-", content.format);
  std::ostream& out = io.bytes();
  write_parts(content, [&out](std::span<const std::byte> part) {
    out.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
  });
}

void add_results(Json& document, const RunArguments& arguments, const RunResults& results) {
  document["items"] = results.values().front().items;
  for (const PartOfResult& part : results.parts) {
    document["parts"].push_back({{"name", part.name}, {"items", part.items}});
  }
  if (!arguments.output.empty()) document["output"] = arguments.output;
  if (!arguments.key_output.empty()) document["key_output"] = arguments.key_output;
  if (arguments.output.empty() && arguments.key_output.empty()) {
    for (const Array& keys : results.keys()) document["keys"] = values_of(keys);
  }
  if (arguments.output.empty()) document["values"] = values_of(results.values().front());
}

std::string output_lines(const RunArguments& arguments, const RunResults& results) {
  std::string text;
  for (const OutputContent& file : files_of(arguments, results)) {
    std::vector<std::string_view> types;
    for (const Array& array : file.arrays) types.push_back(name(array.type));
    text += fmt::format("output   '{}', {} of {}\n", file.path, counted(file.arrays.front().items, "item"),
                        fmt::join(types, " and "));
  }
  return text;
}

}  // namespace upsweep::cli
