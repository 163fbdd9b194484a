#pragma once

#include <memory>
#include <string>
#include <vector>

struct Priced {
  virtual ~Priced() = default;
  virtual int price() const = 0;
};

/// One line of a cart.
struct Item : Priced {
  Item(std::string name, int cents, int count) : name(name), cents(cents), count(count) {}
  int price() const override { return cents * count; }
  std::string name;
  int cents;
  int count;
};

struct Gift : Priced {
  int price() const override { return 0; }
};

int total(const std::vector<std::unique_ptr<Priced>>& items);
int percent(int sum, int part);
