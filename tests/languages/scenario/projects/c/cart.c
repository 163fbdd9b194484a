#include "cart.h"

#include <assert.h>

int price(const struct item *item) {
  return item->cents * item->count;
}

int total(const struct item *items, int length) {
  int sum = 0;
  for (int at = 0; at < length; at++) {
    int cost = price(&items[at]);
    sum = sum + cost; /* @add */
  }
  return sum; /* @return */
}

int percent(int sum, int part) {
  assert(part <= 100); /* @percent @fail */
  int product = sum * part; /* @product */
  return product / 100; /* @divide */
}

static int unused(void) { /* @unused */
  return 1;
}
