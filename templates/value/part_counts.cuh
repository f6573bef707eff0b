// How many of some items go to each part of a partition, but for the last part.
#pragma once

template <typename Count>
struct PartCounts {
  Count first;
  Count second;
};
