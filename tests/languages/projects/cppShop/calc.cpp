#include "calc.h"

namespace calc {
int sum(const std::vector<int>& values) {
  int total = 0;
  for (std::size_t at = 1; at < values.size(); at++) {
    total += values[at];
  }
  return total;
}
}
