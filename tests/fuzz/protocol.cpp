// What a tune and its workers say to each other. Input: the line.
#include "tuner/worker/protocol.hpp"

#include <nlohmann/json.hpp>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/json_mutator.hpp"

UPSWEEP_FUZZ_JSON(0)

namespace upsweep::fuzz {
namespace {

using nlohmann::json;

// Everything that a message says stood in the line, as it stands in the message: no number was cut to fit, no true
// taken for a 1. Members that the message does not know are passed over, as a later version's would be.
void require_said(const json& message, const json& line, const std::string& where) {
  if (message.is_object()) {
    require(line.is_object(), "an object that is none");
    for (const auto& [key, value] : message.items()) {
      if (!line.contains(key)) find(where, ".", key, " was never said");
      require_said(value, line.at(key), where + "." + key);
    }
  } else if (message.is_array()) {
    if (!line.is_array() || line.size() != message.size()) find(where, " is another list");
    for (std::size_t i = 0; i < message.size(); ++i) require_said(message[i], line[i], where + "[]");
  } else if (message != line || message.is_boolean() != line.is_boolean()) {
    find(where, " is ", message.dump(), " and was said to be ", line.dump().substr(0, 100));
  }
}

template <typename Read>
void check(std::string_view line, const Read& read) {
  const auto message = accepted<tuner::ProtocolError>([&] { return read(line); });
  if (!message) return;
  const std::string written = tuner::to_line(*message);
  require(written.find('\n') == written.npos, "a message of more than a line");
  require(read(written) == *message, "a message does not read back");
  require_said(json::parse(written), json::parse(line), "");
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  fuzz::check(line, tuner::request_from_line);
  fuzz::check(line, tuner::answer_from_line);
  return 0;
}
