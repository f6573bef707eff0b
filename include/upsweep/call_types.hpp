/// @file
/// The types that the calls of CompactCalls take, checked by the compiler, and the problems
/// that they give. compact_calls.hpp includes this header; programs do not need it.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>
#include <type_traits>

#include <upsweep/problem.hpp>
#include <upsweep/types.hpp>

/// @cond of the library alone
namespace upsweep::call_types {

// An array that is written has the type of the array that its items come from.
template <typename From, typename To>
constexpr void check_copied() {
  static_assert(!std::is_const_v<To>,
                "upsweep: this array is written, so pass a pointer that is not const; the arrays that are read come "
                "first");
  static_assert(std::is_const_v<To> || std::is_same_v<From, To>,
                "upsweep: items are copied, so the pointer that they are read from and the pointer that they are "
                "written to have one type");
}

// The type of a number of items or an index, which is written to device memory.
template <typename Count>
constexpr Type count_type() {
  constexpr bool is_unsigned = std::is_integral_v<Count> && std::is_unsigned_v<Count> && !std::is_const_v<Count>;
  static_assert(is_unsigned && (sizeof(Count) == 4 || sizeof(Count) == 8),
                "upsweep: the count is a pointer to std::uint32_t or std::uint64_t, and so are indices and lengths");
  return sizeof(Count) == 4 ? Type::u32 : Type::u64;
}

// The type of flags: that of the pointer. bool and char are numbers of 8 bits.
template <typename Flag>
constexpr Type flag_type() {
  if constexpr (std::is_same_v<Flag, bool>) {
    return Type::u8;
  } else if constexpr (std::is_same_v<Flag, char>) {
    return std::is_signed_v<char> ? Type::i8 : Type::u8;
  } else {
    return value_type<Flag>();
  }
}

// Whether a number can be given where a T is needed, without a change of its value that nobody asked for: a
// floating-point number is not cut to an integer.
template <typename T, typename Given>
constexpr void check_threshold() {
  constexpr bool converts = std::is_convertible_v<const Given&, T>;
  static_assert(converts, "upsweep: the threshold does not convert to the type that it is compared with");
  static_assert(!converts || !std::is_integral_v<T> || std::is_integral_v<Given>,
                "upsweep: integers are compared with an integer: convert the threshold, or round it, yourself");
}

// Whether an integer T has the value; true for all other types.
template <typename T, typename Given>
constexpr bool has_value(const Given& given) {
  if constexpr (std::is_same_v<T, bool>) {
    return given == Given(0) || given == Given(1);
  } else if constexpr (std::is_integral_v<T> && std::is_integral_v<Given>) {
    using Number = std::conditional_t<std::is_same_v<T, char>,
                                      std::conditional_t<std::is_signed_v<char>, signed char, unsigned char>, T>;
    return std::in_range<Number>(+given);  // + makes int of bool and char, which in_range does not take
  } else {
    return true;
  }
}

[[noreturn]] UPSWEEP_API void refuse_threshold(Type type);

// The threshold as a T.
template <typename T, typename Given>
T threshold_of(const Given& given, Type type) {
  check_threshold<T, Given>();
  if (!has_value<T>(given)) refuse_threshold(type);
  return static_cast<T>(given);
}

// The problem of a selection by the items themselves.
template <typename In, typename Out, typename Count>
Problem selection(Algorithm algorithm, Operator predicate, std::uint64_t n) {
  check_copied<In, Out>();
  constexpr Type count = count_type<Count>();
  return make_problem(algorithm, predicate, value_type<In>(), count, n);
}

// The problem of a selection by flags.
template <typename In, typename Flag, typename Out, typename Count>
Problem flagged(Operator predicate, std::uint64_t n) {
  Problem problem = selection<In, Out, Count>(Algorithm::select_flagged, predicate, n);
  problem.key = flag_type<Flag>();
  return problem;
}

// The problem of the indices of some items.
template <typename In, typename Index, typename Count>
Problem indices(Operator predicate, std::uint64_t n) {
  Problem problem = make_problem(Algorithm::nonzero, predicate, value_type<In>(), count_type<Count>(), n);
  problem.output = count_type<Index>();
  return problem;
}

}  // namespace upsweep::call_types
/// @endcond
