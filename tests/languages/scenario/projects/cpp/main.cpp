#include <iostream>

#include "cart.h"

static void spin() {
  volatile long ticks = 0;
  while (ticks >= 0) {
    ticks = ticks + 1;  // @spin
  }
}

int main(int argc, char** argv) {
  std::vector<std::unique_ptr<Priced>> items;  // @first
  items.push_back(std::make_unique<Item>("pen", 150, 2));
  items.push_back(std::make_unique<Item>("ink", 700, 1));
  items.push_back(std::make_unique<Gift>());
  int sum = total(items);  // @call
  int half = percent(sum, 50);  // @half
  int rest = sum - half;
  int part = percent(sum, 20);  // @part
  std::cout << "half " << half << " " << rest << " " << part << std::endl;  // @print
  std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "spin") spin();
  if (mode == "fail") percent(sum, 101);  // @failing
}
