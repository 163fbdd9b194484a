#include "calc.h"
#include <gtest/gtest.h>

TEST(Calc, SumsNothing) { EXPECT_EQ(calc::sum({}), 0); }

TEST(Calc, SumsAll) {
  std::vector<int> values{1, 2, 3};
  EXPECT_EQ(calc::sum(values), 6);
}
