class Item:
    """One line of a cart."""

    def __init__(self, name: str, cents: int, count: int) -> None:
        self.name = name
        self.cents = cents
        self.count = count

    def price(self) -> int:
        return self.cents * self.count


class Gift(Item):
    def price(self) -> int:
        return 0


def total(items: list[Item]) -> int:
    sum = 0
    for item in items:
        cost = item.price()
        sum = sum + cost  # @add
    return sum  # @return


def percent(sum: int, part: int) -> float:
    if part > 100:  # @percent
        raise ValueError("part above 100")  # @fail
    product = sum * part  # @product
    return product / 100  # @divide


def unused() -> int:  # @unused
    return 1
