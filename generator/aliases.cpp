#include "generator/aliases.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "generator/names.hpp"
#include "generator/quote.hpp"

namespace upsweep {
namespace {

template <typename Value>
struct Alias {
  std::string_view name;
  Value value;
};
template <typename Value>
Alias(std::string_view, Value) -> Alias<Value>;  // Clang 14 does not deduce it from the members

constexpr std::array type_aliases{
    Alias{"int8", Type::i8},         Alias{"int8_t", Type::i8},
    Alias{"signed char", Type::i8},  Alias{"uint8", Type::u8},
    Alias{"uint8_t", Type::u8},      Alias{"unsigned char", Type::u8},
    Alias{"int16", Type::i16},       Alias{"int16_t", Type::i16},
    Alias{"short", Type::i16},       Alias{"uint16", Type::u16},
    Alias{"uint16_t", Type::u16},    Alias{"unsigned short", Type::u16},
    Alias{"int32", Type::i32},       Alias{"int32_t", Type::i32},
    Alias{"int", Type::i32},         Alias{"uint32", Type::u32},
    Alias{"uint32_t", Type::u32},    Alias{"uint", Type::u32},
    Alias{"unsigned", Type::u32},    Alias{"unsigned int", Type::u32},
    Alias{"int64", Type::i64},       Alias{"int64_t", Type::i64},
    Alias{"long long", Type::i64},   Alias{"uint64", Type::u64},
    Alias{"uint64_t", Type::u64},    Alias{"unsigned long long", Type::u64},
    Alias{"half", Type::f16},        Alias{"float16", Type::f16},
    Alias{"fp16", Type::f16},        Alias{"__half", Type::f16},
    Alias{"bfloat16", Type::bf16},   Alias{"__nv_bfloat16", Type::bf16},
    Alias{"float", Type::f32},       Alias{"float32", Type::f32},
    Alias{"fp32", Type::f32},        Alias{"double", Type::f64},
    Alias{"float64", Type::f64},     Alias{"fp64", Type::f64},
    Alias{"complex64", Type::c64},   Alias{"complex<float>", Type::c64},
    Alias{"complex128", Type::c128}, Alias{"complex<double>", Type::c128},
};

constexpr std::array operator_aliases{
    Alias{"sum", Operator::plus},
    Alias{"add", Operator::plus},
    Alias{"+", Operator::plus},
    Alias{"product", Operator::multiplies},
    Alias{"prod", Operator::multiplies},
    Alias{"mul", Operator::multiplies},
    Alias{"multiply", Operator::multiplies},
    Alias{"*", Operator::multiplies},
    Alias{"min", Operator::minimum},
    Alias{"max", Operator::maximum},
    Alias{"and", Operator::bit_and},
    Alias{"&", Operator::bit_and},
    Alias{"or", Operator::bit_or},
    Alias{"|", Operator::bit_or},
    Alias{"xor", Operator::bit_xor},
    Alias{"^", Operator::bit_xor},
};

constexpr std::array algorithm_aliases{
    Alias{"inclusive", Algorithm::inclusive_scan},
    Alias{"exclusive", Algorithm::exclusive_scan},
    Alias{"reduction", Algorithm::reduce},
};

// Names that say too little, and what they may stand for.
struct Ambiguous {
  std::string_view name;
  std::string_view meant;
};

constexpr std::array ambiguous_names{
    Ambiguous{"char", "use i8 or u8, because a char is signed with some compilers and unsigned with others"},
    Ambiguous{"long", "use i32 or i64, because the width of a long differs between compilers"},
    Ambiguous{"unsigned long", "use u32 or u64, because the width of a long differs between compilers"},
    Ambiguous{"complex", "use c64 (two f32) or c128 (two f64)"},
    Ambiguous{"scan",
              "use inclusive_scan (result i includes item i) or exclusive_scan (result i does not include item i)"},
    Ambiguous{"prefix_sum",
              "use inclusive_scan (result i includes item i) or exclusive_scan (result i does not include item i)"},
};

template <typename Value>
std::optional<Value> find(std::string_view text, std::span<const Value> values, std::span<const Alias<Value>> aliases) {
  for (const Value value : values) {
    if (name(value) == text) return value;
  }
  for (const Alias<Value>& alias : aliases) {
    if (alias.name == text) return alias.value;
  }
  return std::nullopt;
}

// "did you mean 'plus'? ": aliases count as what they stand for.
template <typename Value>
std::string suggestion(std::string_view text, std::span<const Value> values, std::span<const Alias<Value>> aliases) {
  std::vector<std::string> all;
  for (const Value value : values) all.emplace_back(name(value));
  for (const Alias<Value>& alias : aliases) all.emplace_back(alias.name);
  std::vector<std::string> meant;
  for (const std::string& near : near_names(text, all)) {
    const std::string canonical(name(*find(near, values, aliases)));
    if (std::find(meant.begin(), meant.end(), canonical) == meant.end()) meant.push_back(canonical);
  }
  return meant.empty() ? std::string() : fmt::format("did you mean '{}'? ", fmt::join(meant, "' or '"));
}

template <typename Value>
Value named(std::string_view what, std::string_view text, std::span<const Value> values,
            std::span<const Alias<Value>> aliases) {
  if (const std::optional<Value> found = find(text, values, aliases)) return *found;
  for (const Ambiguous& each : ambiguous_names) {
    if (each.name == text) throw UsageError(fmt::format("the {} '{}' is ambiguous: {}", what, text, each.meant));
  }
  std::vector<std::string_view> canonical, others;
  for (const Value value : values) canonical.push_back(name(value));
  for (const Alias<Value>& alias : aliases) {
    if (alias.name.find_first_of(" _<") == alias.name.npos) others.push_back(alias.name);  // the short ones
  }
  throw UsageError(fmt::format("unknown {} '{}': {}use one of {} (or {})", what, clipped(text),
                               suggestion(text, values, aliases), fmt::join(canonical, ", "), fmt::join(others, ", ")));
}

template <typename Value>
std::vector<std::string_view> aliases_of(Value value, std::span<const Alias<Value>> aliases) {
  std::vector<std::string_view> names;
  for (const Alias<Value>& alias : aliases) {
    if (alias.value == value) names.push_back(alias.name);
  }
  return names;
}

}  // namespace

Type type_named(std::string_view text) {
  return named<Type>("type", text, all_types(), type_aliases);
}
Operator operator_named(std::string_view text) {
  return named<Operator>("operator", text, all_operators(), operator_aliases);
}
Algorithm algorithm_named(std::string_view text) {
  return named<Algorithm>("algorithm", text, all_algorithms(), algorithm_aliases);
}

std::vector<std::string_view> aliases_of(Type type) {
  return aliases_of<Type>(type, type_aliases);
}
std::vector<std::string_view> aliases_of(Operator op) {
  return aliases_of<Operator>(op, operator_aliases);
}
std::vector<std::string_view> aliases_of(Algorithm algorithm) {
  return aliases_of<Algorithm>(algorithm, algorithm_aliases);
}

}  // namespace upsweep
