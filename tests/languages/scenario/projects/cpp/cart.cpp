#include "cart.h"

#include <stdexcept>

int total(const std::vector<std::unique_ptr<Priced>>& items) {
  int sum = 0;
  for (const auto& item : items) {
    int cost = item->price();
    sum = sum + cost;  // @add
  }
  return sum;  // @return
}

int percent(int sum, int part) {
  if (part > 100) {  // @percent
    throw std::range_error("part above 100");  // @fail
  }
  int product = sum * part;  // @product
  return product / 100;  // @divide
}

static int unused() {  // @unused
  return 1;
}
