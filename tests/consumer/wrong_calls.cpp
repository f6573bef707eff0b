// Calls that must not compile. wrong_calls.cmake checks that the compiler refuses each line that ends with a comment
// "wrong: TEXT", says the text, and refuses no other call. No two of these calls have the same types: a compiler says
// once what is wrong with a template for some types.
#include <upsweep/upsweep.hpp>

#include <cstdint>

using upsweep::in_memory, upsweep::less;

using Count = std::uint64_t;

void select_if(upsweep::Context& context, const float* in, float* out, Count* count, const int* numbers, int* kept) {
  const float limit = 0.5f;
  context.select_if(in, out, count, 3, less, limit);
  context.select_if(in, out, count, 3, less, in_memory(&limit));
  context.select_if(out, in, count, 3, less, limit);   // wrong: this array is written, so pass a pointer that is not
  context.select_if(in, kept, count, 3, less, limit);  // wrong: items are copied, so
  context.select_if(in, out, kept, 3, less, limit);    // wrong: the count is a pointer to std::uint32_t or
  context.select_if(numbers, kept, count, 3, less, limit);          // wrong: integers are compared with an integer
  context.select_if(in, out, count, 3, less, nullptr);              // wrong: the threshold does not convert
  context.select_if(numbers, kept, count, 3, less, in_memory(in));  // wrong: the threshold does not convert
  context.select_if(in, out, count, 3, limit, less);                // wrong: no matching
}

void select_flagged(upsweep::Context& context, const float* in, const short* flags, const void* bits, float* out,
                    std::uint32_t* count) {
  context.select_flagged(in, flags, out, count, 3);
  context.select_flagged(in, flags, out, count, 3, less, 1, nullptr);
  context.select_flagged(flags, in, out, count, 3);              // wrong: items are copied, so
  context.select_flagged(in, bits, out, count, 3);               // wrong: this value type is not supported
  context.select_flagged(in, flags, out, count, 3, less, 0.5f);  // wrong: integers are compared with an integer
}

void runs(upsweep::Context& context, const double* in, const char* flags, double* out, std::uint32_t* lengths,
          Count* count) {
  context.unique(in, out, count, 3);
  context.run_length_encode(in, out, lengths, count, 3);
  context.nontrivial_runs(in, lengths, lengths, count, 3);
  context.nonzero(in, lengths, count, 3);
  context.nonzero(in, count, lengths, 3, less, 0.5);
  context.unique(in, lengths, count, 3);                      // wrong: items are copied, so
  context.run_length_encode(in, out, out, count, 3);          // wrong: so are indices and lengths
  context.run_length_encode(in, out, lengths, lengths, 3);    // wrong: the number of runs has 64 bits
  context.nontrivial_runs(in, count, lengths, count, 3);      // wrong: no matching
  context.nontrivial_runs(in, lengths, lengths, lengths, 3);  // wrong: the number of runs has 64 bits
  context.nonzero(in, flags, count, 3);                       // wrong: so are indices and lengths
  context.unique_by_key(flags, in, out, out, count, 3);       // wrong: items are copied, so
}

void reduce_by_key(upsweep::Context& context, const double* keys, const float* values, double* unique, float* sums,
                   Count* count, std::uint32_t* narrow) {
  context.reduce_by_key(keys, values, unique, sums, count, 3);
  context.reduce_by_key(values, keys, unique, sums, count, 3);    // wrong: items are copied, so
  context.reduce_by_key(keys, values, unique, values, count, 3);  // wrong: aggregates are written
  context.reduce_by_key(keys, values, unique, sums, narrow, 3);   // wrong: the number of runs has 64 bits
}
