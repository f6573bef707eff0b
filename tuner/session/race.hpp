// A race: which of several calls is fastest, or that it does not matter. All are timed in rounds, each once a round,
// and compared within rounds, so that what changes in time (clocks, temperature, other users) meets all of them alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace upsweep::tuner {

// A confidence interval.
struct Interval {
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

// The mean of the values without the greatest and the least, an eighth of them at each end. Times of one kernel often
// have two levels (where it lies, how its calls fall into step), between which a median jumps; a mean follows whatever
// disturbed a single sample. Infinity of none, and if any is that.
[[nodiscard]] double trimmed_mean(std::vector<double> values);

// For the trimmed mean of what the values are samples of: misses it with a probability of about `error` (J. W. Tukey
// and D. H. McLaughlin, Less vulnerable confidence and significance procedures for location, Sankhya A 25, 1963). From
// minus to plus infinity where there are too few values.
[[nodiscard]] Interval trimmed_interval(std::vector<double> values, double error);

struct RaceOptions {
  double indifference = 0.005;  // who is not slower by more than this share is as good as the leader
  // An incumbent that was not shown to be slower stays if its ratio is not above the leader's by more than this share.
  double undecided = 0.03;
  double error = 0.01;   // of each comparison with one that is no lucky leader, judged once
  int first_rounds = 8;  // before the first is judged
  int more_rounds = 4;   // between judgements
  int most_rounds = 32;
};

enum class Standing : std::uint8_t {
  leader,  // lowest trimmed mean
  slower,  // than the leader, beyond doubt; timed no more
  even,    // within the indifference, beyond doubt; timed no more
  open     // neither was shown in as many rounds as there were
};

struct Contestant {
  std::vector<double> samples_us;  // one a round, until it was out
  double ratio = 1;                // trimmed mean of its times to the leader's of the same round
  Interval interval{1, 1};         // of that
  Standing standing = Standing::open;
};

struct RaceResult {
  std::size_t winner = 0;
  int rounds = 0;
  std::vector<Contestant> contestants;
};

// Times so many rounds of the contestants with those numbers: a row of samples for each, in the same order.
using Rounds = std::function<std::vector<std::vector<double>>(std::span<const std::size_t> numbers, int rounds)>;

// The leader wins, unless the incumbent (the one that is to stay if it does not matter) is as good: its ratio lies
// within the indifference, or it is open whether it is slower and its ratio lies within RaceOptions::undecided. At
// least one contestant. What `rounds` throws passes through.
[[nodiscard]] RaceResult hold_race(std::size_t contestants, std::optional<std::size_t> incumbent, const Rounds& rounds,
                                   const RaceOptions& options = {});

}  // namespace upsweep::tuner
