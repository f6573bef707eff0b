// Of each row on its own: out[row] = op of the initial value and the items of the row.
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& reduce_rows_entry() {
  return *new AlgorithmEntry{
      .name = "reduce",
      .enumerator = Algorithm::reduce,
      .shape = Shape::rows,
      .hooks = "reduce",
      .emission = Emission::indexed,
      .has_initial = true,
      .has_finish = true,
      .has_words = true,
      .ports = row_ports,
  };
}

}  // namespace upsweep
