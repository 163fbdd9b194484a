#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "calc.h"

enum class Color { Red, Green };

struct Shape {
  virtual ~Shape() = default;
  std::string name = "shape";
};

struct Square : Shape {
  double side = 2.5;
};

struct Node {
  int value;
  Node* next;
};

int discount(const std::map<std::string, int>& prices, const std::string& name) {
  auto found = prices.find(name);
  if (found == prices.end()) throw std::out_of_range("no price for " + name);
  return found->second / 10;
}

int main(int argc, char** argv) {
  std::vector<int> numbers{1, 2, 3, 4, 5};
  std::map<std::string, int> prices{{"pen", 150}, {"ink", 700}};
  std::unordered_map<int, std::string> names{{1, "one"}};
  std::optional<int> none;
  std::unique_ptr<Shape> shape = std::make_unique<Square>();
  Color color = Color::Green;
  Node second{2, nullptr};
  Node first{1, &second};
  int sum = 0;
  for (int number : numbers) {
    sum += number;
  }
  std::string mode = argc > 1 ? argv[1] : "";
  std::cout << "sum " << sum << " " << calc::sum(numbers) << std::endl;
  if (mode == "read") {
    std::string line;
    std::getline(std::cin, line);
    std::cout << "read " << line << std::endl;
  }
  if (mode == "null") return second.next->value;
  if (mode == "spin") {
    for (volatile long long turn = 0;; turn = turn + 1) std::this_thread::yield();
  }
  return discount(prices, "paper");
}
