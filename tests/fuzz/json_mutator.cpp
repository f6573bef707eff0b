#include "tests/fuzz/json_mutator.hpp"

#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace upsweep::fuzz {
namespace {

class JsonMutator {
 public:
  using Json = nlohmann::ordered_json;

  explicit JsonMutator(unsigned seed) : random_(seed) {}

  [[nodiscard]] std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  void mutate(Json& document) {
    std::vector<Json*> nodes;
    collect(document, nodes);
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      nodes.clear();
      collect(document, nodes);
      Json& chosen = *nodes[below(nodes.size())];
      const Json other = below(2) == 0 ? value() : *nodes[below(nodes.size())];
      if (chosen.is_object() && !chosen.empty() && below(3) != 0) {
        change_object(chosen, other);
      } else if (chosen.is_array() && below(3) != 0) {
        change_array(chosen, other);
      } else {
        chosen = other;
      }
    }
  }

 private:
  static void collect(Json& node, std::vector<Json*>& nodes) {
    nodes.push_back(&node);
    if (node.is_structured()) {
      for (Json& child : node) collect(child, nodes);
    }
  }

  void change_object(Json& object, const Json& other) {
    const auto member = std::next(object.begin(), static_cast<std::ptrdiff_t>(below(object.size())));
    switch (below(4)) {
      case 0:
        object.erase(member.key());
        break;
      case 1:
        object[text()] = other;
        break;
      default:
        member.value() = other;
    }
  }

  void change_array(Json& array, const Json& other) {
    if (array.empty() || below(3) == 0) return array.push_back(other);
    const std::size_t at = below(array.size());
    if (below(2) == 0) {
      array.erase(at);
    } else {
      array[at] = other;
    }
  }

  [[nodiscard]] Json value() {
    switch (below(8)) {
      case 0:
        return nullptr;
      case 1:
        return below(2) == 0;
      case 2:
        return Json::array();
      case 3:
        return Json::object();
      case 4:
        return text();
      case 5:
        return real();
      default:
        return whole();
    }
  }

  [[nodiscard]] Json whole() {
    const int bit = static_cast<int>(below(64));
    const std::uint64_t near = (std::uint64_t{1} << bit) + below(3) - 1;
    if (below(4) == 0) return -static_cast<std::int64_t>(near >> 1);
    return near;
  }

  [[nodiscard]] Json real() {
    constexpr double values[] = {0.0, -0.0, 0.5, 1e-320, 1e308, 1.7976931348623157e308, 4294967296.5, -1.0, 1e18};
    return values[below(std::size(values))];
  }

  [[nodiscard]] std::string text() {
    constexpr const char* texts[] = {"",
                                     "i32",
                                     "f64",
                                     "c128",
                                     "affine",
                                     "plus",
                                     "minimum",
                                     "reduce",
                                     "measured",
                                     "failed",
                                     "race",
                                     "lookback",
                                     "lookahead",
                                     "schedule",
                                     "cluster",
                                     "size",
                                     "host",
                                     "cuda:0",
                                     "2026-11-21T06:58:00.5Z",
                                     "\xc3\xa9",
                                     "a\nb",
                                     "crashed",
                                     "internal",
                                     "exclusive_scan",
                                     "last_nonzero",
                                     "vectors_per_thread",
                                     "00112233445566778899aabbccddeeff"};
    return texts[below(std::size(texts))];
  }

  std::mt19937 random_;
};

}  // namespace

std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, std::size_t before = 0) {
  JsonMutator mutator(seed);
  if (size < before || mutator.below(2) == 0) return LLVMFuzzerMutate(data, size, most);
  auto document = JsonMutator::Json::parse(data + before, data + size, nullptr, false);
  if (document.is_discarded()) return LLVMFuzzerMutate(data, size, most);
  mutator.mutate(document);
  const std::string text = document.dump(-1, ' ', false, JsonMutator::Json::error_handler_t::replace);
  if (before + text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data + before, text.data(), text.size());
  return before + text.size();
}

}  // namespace upsweep::fuzz
