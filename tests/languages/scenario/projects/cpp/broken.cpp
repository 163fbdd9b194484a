int area(int width) {
  return widht * 2;
}
