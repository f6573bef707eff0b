// The value that tiles or blocks exchange, as words that are stored and loaded one by one.
#pragma once

#include "parameters.cuh"

constexpr int exchange_words = (sizeof(Exchanged) + 7) / 8;

union ExchangeWords {
  u64 word[exchange_words];
  Exchanged value;
};
