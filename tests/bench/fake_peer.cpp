// A peer that knows four algorithms of i32 and u32 items, and fails for maxima. In place of results it writes what it
// was given, as a text, to the temporary memory.
#include <cstring>
#include <sstream>
#include <string>

#include "bench/cub/interface.hpp"

namespace {

constexpr int failure = 719;
constexpr std::size_t temporary_bytes = 1000;

struct Shape {
  const char* algorithm;
  int arrays;
  int scalars;
};
constexpr Shape shapes[] = {{"inclusive_scan", 2, 0}, {"reduce", 2, 1}, {"select_if", 3, 1}, {"reduce_by_key", 5, 0}};

bool is(const char* name, const char* other) {
  return std::strcmp(name, other) == 0;
}

const Shape* shape_of(const char* algorithm) {
  for (const Shape& shape : shapes) {
    if (is(shape.algorithm, algorithm)) return &shape;
  }
  return nullptr;
}

std::string text_of(const UpsweepPeerCall& call, const Shape& shape) {
  std::ostringstream text;
  text << call.algorithm << ' ' << call.op << ' ' << call.type << ' ' << call.accumulator << " key '" << call.key
       << "' n " << call.n << " stream " << call.stream << " arrays";
  for (int i = 0; i < shape.arrays; ++i) text << ' ' << call.arrays[i];
  text << " scalars";
  for (int i = 0; i < shape.scalars; ++i) {
    std::int32_t value = 0;
    std::memcpy(&value, call.scalars[i], sizeof value);
    text << ' ' << value;
  }
  return text.str();
}

}  // namespace

extern "C" const char* upsweep_peer_name() {
  return "Fake 1.2.3";
}

extern "C" int upsweep_peer_call_2(const UpsweepPeerCall* call) {
  const Shape* const shape = shape_of(call->algorithm);
  if (shape == nullptr || !(is(call->type, "i32") || is(call->type, "u32"))) return upsweep_peer_not_built;
  if (is(call->op, "maximum")) return failure;
  if (call->temporary == nullptr) {
    *call->bytes = temporary_bytes;
    return call->arrays == nullptr && call->scalars == nullptr ? 0 : failure;
  }
  const std::string text = text_of(*call, *shape);
  if (text.size() >= *call->bytes) return failure;
  std::memcpy(call->temporary, text.c_str(), text.size() + 1);
  return 0;
}
