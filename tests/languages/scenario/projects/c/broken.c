int area(int width) {
  return width * 2
}
