#include <stdio.h>
#include <string.h>

#include "cart.h"

static void spin(void) {
  volatile long ticks = 0;
  while (ticks >= 0) {
    ticks++; /* @spin */
  }
}

int main(int argc, char **argv) {
  struct item items[3] = {{"pen", 150, 2}, {"ink", 700, 1}, {"bow", 0, 1}}; /* @first */
  int sum = total(items, 3); /* @call */
  int half = percent(sum, 50); /* @half */
  int rest = sum - half;
  int part = percent(sum, 20); /* @part */
  printf("half %d %d %d\n", half, rest, part); /* @print */
  fflush(stdout);
  const char *mode = argc > 1 ? argv[1] : "";
  if (strcmp(mode, "spin") == 0) spin();
  if (strcmp(mode, "fail") == 0) percent(sum, 101); /* @failing */
  return 0;
}
