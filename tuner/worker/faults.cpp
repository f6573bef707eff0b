#include "tuner/worker/faults.hpp"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/environment.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::array<std::pair<std::string_view, Fault>, 8> fault_names{{{"crash", Fault::crash},
                                                                         {"hang", Fault::hang},
                                                                         {"lie", Fault::lie},
                                                                         {"oom", Fault::oom},
                                                                         {"loop", Fault::loop},
                                                                         {"outside", Fault::outside},
                                                                         {"wrong", Fault::wrong},
                                                                         {"smem", Fault::smem}}};

std::pair<std::uint64_t, Fault> parse_one(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::string_view number = at == text.npos ? std::string_view() : text.substr(at + 1);
  std::uint64_t run = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), run);
  for (const auto& [name, fault] : fault_names) {
    if (name != text.substr(0, at)) continue;
    if (error == std::errc{} && stop == number.data() + number.size() && run > 0) return {run, fault};
  }
  std::string known;
  for (const auto& each : fault_names) known += (known.empty() ? "" : ", ") + std::string(each.first);
  throw UsageError(
      fmt::format("unknown fault '{}': write NAME@RUN, for example crash@3; the names are {}", text, known));
}

// `text` replaces the first `instead_of` in the source. Where that is empty, `text` stands before the kernel's first
// statement.
struct Change {
  std::string_view instead_of;
  std::string_view text;
};

Change change_of(Fault fault) {
  switch (fault) {
    case Fault::loop:  // of a local variable, though volatile, assemblers know the value
      return {
          "",
          "  const volatile unsigned char* spinning = reinterpret_cast<const volatile unsigned char*>(arguments.in);\n"
          "  while (*spinning == *spinning) {\n  }\n"};
    case Fault::outside:  // no device and no process maps memory so far above any other
      return {"", "  reinterpret_cast<volatile unsigned char*>(arguments.out)[static_cast<u64>(1) << 46] = 1;\n"};
    case Fault::wrong:
      return {"arguments.out", "(arguments.out + (arguments.n > 1 ? 1 : 0))"};
    case Fault::smem:
      return {"",
              "  __shared__ volatile unsigned char too_much[1 << 20];\n"
              "  too_much[arguments.n % sizeof(too_much)] = 1;\n"};
    default:
      return {};
  }
}

}  // namespace

Faults Faults::parse(std::string_view text) {
  Faults faults;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    faults.by_run_.insert(parse_one(text.substr(0, comma)));
    text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
  }
  return faults;
}

Faults Faults::from_environment() {
  return parse(base::environment("UPSWEEP_WORKER_FAULTS").value_or(""));
}

Fault Faults::at(std::uint64_t run) const {
  const auto found = by_run_.find(run);
  return found == by_run_.end() ? Fault::none : found->second;
}

bool is_of_text(Fault fault) noexcept {
  return !change_of(fault).text.empty();
}

Source with_fault(Source source, Fault fault) {
  const Change change = change_of(fault);
  constexpr std::string_view body = ") {\n";
  const std::size_t kernel = source.text.find(source.entry + "(");
  std::size_t place = kernel == std::string::npos ? kernel : source.text.find(body, kernel);
  if (place != std::string::npos) {
    place = change.instead_of.empty() ? place + body.size() : source.text.find(change.instead_of);
  }
  if (place == std::string::npos) throw UsageError("the source has no kernel to put a fault in");
  source.text.replace(place, change.instead_of.size(), change.text);
  return source;
}

}  // namespace upsweep::tuner
