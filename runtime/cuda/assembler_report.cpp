// Reads registers, spills and shared memory of a kernel from the messages of the assembler (ptxas).
#include <charconv>
#include <string_view>

#include "runtime/cuda/nvrtc_compiler.hpp"

namespace upsweep::runtime {
namespace {

// The number right before a phrase: 16 of "0 bytes stack frame, 16 bytes spill stores" and " bytes spill stores".
std::optional<int> number_before(std::string_view text, std::string_view phrase) {
  const std::size_t end = text.find(phrase);
  if (end == text.npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  int number = 0;
  const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, number);
  if (error != std::errc{} || stop != text.data() + end) return std::nullopt;
  return number;
}

}  // namespace

// The lines, as ptxas 13.0 writes them for each kernel (older ones prefix the third with spaces only, and say nothing
// of barriers or shared memory where there are none):
//   ptxas info    : Compiling entry function 'scan' for 'sm_90'
//   ptxas info    : Function properties for scan
//   ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem
std::optional<AssemblerReport> parse_assembler_report(const std::string& log) {
  constexpr std::string_view heading = "Compiling entry function";
  std::string_view text = log;
  const std::size_t begin = text.find(heading);
  if (begin == text.npos) return std::nullopt;
  text.remove_prefix(begin + heading.size());
  text = text.substr(0, text.find(heading));

  const std::optional<int> registers = number_before(text, " registers");
  if (!registers) return std::nullopt;
  return AssemblerReport{.registers = *registers,
                         .stack_bytes = number_before(text, " bytes stack frame").value_or(0),
                         .spill_store_bytes = number_before(text, " bytes spill stores").value_or(0),
                         .spill_load_bytes = number_before(text, " bytes spill loads").value_or(0),
                         .static_shared_bytes = number_before(text, " bytes smem").value_or(0),
                         .barriers = number_before(text, " barriers").value_or(0)};
}

}  // namespace upsweep::runtime
