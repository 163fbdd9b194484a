#ifndef CART_H
#define CART_H

/* One line of a cart. */
struct item {
  const char *name;
  int cents;
  int count;
};

int price(const struct item *item);
int total(const struct item *items, int length);
int percent(int sum, int part);

#endif
