#include <upsweep/scalar.hpp>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

Scalar Scalar::of_bytes(Type type, const void* bytes, std::size_t size) {
  if (size != size_of(type)) {
    throw UsageError(
        fmt::format("a value of {} bytes cannot be of the type {}, which has {} bytes: pass a value of the "
                    "same struct",
                    size, name(type), size_of(type)));
  }
  Scalar scalar;
  scalar.type = type;
  std::memcpy(scalar.bytes.data(), bytes, size);
  return scalar;
}

Scalar identity(Operator op, Type type) {
  validate(op, type);
  const OperatorEntry& entry = entry_of(op);
  if (!entry.identity) {
    throw UsageError(fmt::format("the operator {} has no identity: pass an initial value", entry.name));
  }
  Scalar value = entry.identity(type);
  value.type = type;
  return value;
}

Scalar parse_scalar(Type type, std::string_view text) {
  const TypeEntry& entry = entry_of(type);
  if (!entry.parse) {
    throw UsageError(
        fmt::format("cannot read '{}': values of the type {} have no text", base::clipped(text), entry.name));
  }
  return entry.parse(text);
}

std::string to_string(const Scalar& scalar) {
  const TypeEntry& entry = entry_of(scalar.type);
  if (entry.text) return entry.text(scalar);
  std::string bytes = "bytes";
  for (std::size_t i = 0; i < entry.size; ++i) bytes += fmt::format(" {:02x}", std::to_integer<int>(scalar.bytes[i]));
  return bytes;
}

}  // namespace upsweep
