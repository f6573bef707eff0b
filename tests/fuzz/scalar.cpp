// Values as text. Input: a byte for the type, then the text; the same bytes as a value of the type.
#include <upsweep/scalar.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

#include "tests/fuzz/exact_number.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace upsweep::fuzz {
namespace {

// The parts of a floating or complex value; exact.
struct Parts {
  double real = 0, imaginary = 0;
};

template <typename T>
double part_at(const Scalar& scalar, int index) {
  T value{};
  std::memcpy(static_cast<void*>(&value), scalar.bytes.data() + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

double part_of_scalar(const Scalar& scalar, int index) {
  switch (part_of(scalar.type)) {
    case Type::f16:
      return part_at<f16>(scalar, index);
    case Type::bf16:
      return part_at<bf16>(scalar, index);
    case Type::f32:
      return part_at<float>(scalar, index);
    default:
      return part_at<double>(scalar, index);
  }
}

Parts parts_of(const Scalar& scalar) {
  return {part_of_scalar(scalar, 0), is_complex(scalar.type) ? part_of_scalar(scalar, 1) : 0};
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

// The same value: bit by bit, but for the many NaNs.
bool same(const Scalar& a, const Scalar& b) {
  if (!is_floating(a.type)) return a == b;
  const Parts x = parts_of(a), y = parts_of(b);
  return same(x.real, y.real) && same(x.imaginary, y.imaginary);
}

void check_round_trip(const Scalar& value) {
  const std::string text = to_string(value);
  const auto again = accepted<UsageError>([&] { return parse_scalar(value.type, text); });
  if (!again || !same(*again, value)) find(std::string(name(value.type)), " does not read back: ", text);
}

// A whole number, sign and magnitude; nothing if it is none or has more than 64 bits.
struct Whole {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

std::optional<Whole> whole(std::string_view text) {
  Whole value;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    value.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  unsigned base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  if (text.empty()) return std::nullopt;
  for (const char c : text) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? char(c - 'A' + 'a') : c);
    if (digit >= base) return std::nullopt;
    if (value.magnitude > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return std::nullopt;
    value.magnitude = value.magnitude * base + digit;
  }
  return value;
}

// Whether the type holds the number, and its bits there.
std::optional<std::uint64_t> bits_of(const Whole& value, Type type) {
  const std::size_t width = 8 * size_of(type);
  const std::uint64_t all = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const std::uint64_t most = is_signed(type) ? (all >> 1) + (value.negative ? 1 : 0) : value.negative ? 0 : all;
  if (value.magnitude > most) return std::nullopt;
  return (value.negative ? -value.magnitude : value.magnitude) & all;
}

void check_integer(Type type, std::string_view text, const std::optional<Scalar>& parsed) {
  const auto expected = whole(text);
  const auto bits = expected ? bits_of(*expected, type) : std::nullopt;
  if (!parsed) {
    // "-0" of an unsigned type is as good as no number.
    if (bits && !(expected->negative && !is_signed(type))) find("refused though it is one: ", std::string(text));
    return;
  }
  if (!bits) find("taken though it is none: ", std::string(text));
  std::uint64_t got = 0;
  std::memcpy(&got, parsed->bytes.data(), sizeof got);
  if (got != *bits) find("another number than ", std::string(text));
}

void check_part(double got, Wide read, Type type, const std::string& text) {
  const double expected = rounded(read, precision_of(type));
  if (!same(got, expected)) find(std::string(name(type)), " of '", text, "' is ", std::to_string(got));
}

void check_floating(std::string_view text, const Scalar& parsed) {
  const Parts got = parts_of(parsed);
  std::string copy(text);
  require(copy.find('\0') == copy.npos, "a NUL is part of a number");
  if (is_complex(parsed.type) && copy.starts_with('(')) copy = copy.substr(1, copy.size() - 2);
  const auto [first, behind] = read_to_odd(copy.c_str());
  require(behind != copy.c_str(), "taken though it is no number");
  const bool imaginary = is_complex(parsed.type) && (*behind == 'i' || *behind == 'j');
  check_part(imaginary ? got.imaginary : got.real, first, parsed.type, copy);
  if (imaginary) return require(got.real == 0 && behind[1] == '\0', "an imaginary number with more to it");
  if (*behind == '\0') return require(got.imaginary == 0, "a real number with an imaginary part");
  require(is_complex(parsed.type), "taken with something behind it");
  const auto [second, end] = read_to_odd(behind);
  check_part(got.imaginary, second, parsed.type, copy);
  require((*end == 'i' || *end == 'j') && end[1] == '\0', "taken with something behind the imaginary part");
}

}  // namespace
}  // namespace upsweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  fuzz::Input input(data, size);
  const Type type = all_types()[input.below(all_types().size())];
  const std::string_view text = input.rest();
  const auto parsed = fuzz::accepted<UsageError>([&] { return parse_scalar(type, text); });
  if (parsed) fuzz::check_round_trip(*parsed);
  if (!is_floating(type)) {
    fuzz::check_integer(type, text, parsed);
  } else if (parsed) {
    fuzz::check_floating(text, *parsed);
  }
  Scalar any{.type = type};
  std::memcpy(any.bytes.data(), text.data(), std::min(text.size(), size_of(type)));
  fuzz::check_round_trip(any);
  return 0;
}
