// A floating sum or product, followed item by item, and how far a device's result may lie from it: see Reference.
#pragma once

#include <cstdint>

#include <upsweep/problem.hpp>

#include "tests/support/arithmetic.hpp"

namespace upsweep::test {

// Steps that lead from 0: how far apart any stretch of them lies.
class Walk {
 public:
  void add(double step);
  // Whether all steps are integers and no sum of neighbouring ones, or of any, exceeds the limit.
  [[nodiscard]] bool stays_within(double limit, bool any_order) const;

 private:
  bool integers_ = true;
  double at_ = 0, low_ = 0, high_ = 0, length_ = 0;
};

// Of one part of the items.
class SumFold {
 public:
  explicit SumFold(const Problem& problem);
  void add(double item);
  [[nodiscard]] double value() const { return static_cast<double>(value_); }
  [[nodiscard]] double tolerance() const;

 private:
  bool any_order_;
  FloatingFormat accumulator_, output_;
  long double value_ = 0;
  double magnitude_ = 0;
  bool finite_ = true;
  std::uint64_t items_ = 0;
  Walk walk_;
};

class ProductFold {
 public:
  explicit ProductFold(const Problem& problem);
  void add(Number item);
  [[nodiscard]] Number value() const;
  [[nodiscard]] double tolerance() const;  // of both parts

 private:
  bool complex_;
  bool any_order_;
  FloatingFormat accumulator_, output_;
  long double real_ = 1, imaginary_ = 0;
  bool finite_ = true;
  std::uint64_t items_ = 0;
  Walk exponents_;
};

class RoundingFold {
 public:
  explicit RoundingFold(const Problem& problem);
  void add(Number item);
  [[nodiscard]] Number value() const;
  [[nodiscard]] Number tolerance() const;  // of each part

 private:
  bool sum_;
  SumFold real_, imaginary_;
  ProductFold product_;
};

}  // namespace upsweep::test
