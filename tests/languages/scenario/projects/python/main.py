import sys

from cart import Gift, Item, percent, total


def spin() -> None:
    ticks = 0
    while ticks >= 0:
        ticks += 1  # @spin


def main(mode: str) -> None:
    items = [Item("pen", 150, 2), Item("ink", 700, 1), Gift("bow", 5, 1)]  # @first
    sum = total(items)  # @call
    half = percent(sum, 50)  # @half
    rest = sum - half
    part = percent(sum, 20)  # @part
    print("half", half, rest, part)  # @print
    if mode == "spin":
        spin()
    if mode == "fail":
        percent(sum, 101)  # @failing


main(sys.argv[1] if len(sys.argv) > 1 else "")
