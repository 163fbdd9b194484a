#pragma once
#include <vector>

namespace calc {
int sum(const std::vector<int>& values);
}
