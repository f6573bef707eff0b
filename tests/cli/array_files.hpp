// What tests of array files share: items, arrays and refusals.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/array_file.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_folder.hpp"

namespace upsweep::cli {

class ArrayFile : public test::TestFolder, public ::testing::Test {};

// Three i32: 1, -2 and 0x01020304, little-endian.
inline const std::string three_items("\x01\x00\x00\x00\xfe\xff\xff\xff\x04\x03\x02\x01", 12);

template <typename T>
std::vector<T> values(const Array& array) {
  EXPECT_EQ(array.type, value_type<T>());
  EXPECT_EQ(array.bytes.size(), array.items * sizeof(T));
  std::vector<T> result(array.bytes.size() / sizeof(T));
  std::ranges::copy(array.bytes, std::as_writable_bytes(std::span(result)).begin());
  return result;
}

template <typename T>
Array array_of(const std::vector<T>& items) {
  Array array{value_type<T>(), items.size(), std::vector<std::byte>(items.size() * sizeof(T))};
  std::ranges::copy(std::as_bytes(std::span(items)), array.bytes.begin());
  return array;
}

inline ReadOptions of_type(Type type, Format format = Format::automatic, std::string column = {}) {
  ReadOptions options;
  options.type = type;
  options.format = format;
  options.column = std::move(column);
  return options;
}

// The message of the E that `act` throws, which must be one line.
template <typename E>
std::string refusal(const std::function<void()>& act) {
  const std::string message = test::message_of<E>(act);
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

}  // namespace upsweep::cli
