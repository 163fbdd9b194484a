from .stock import Article, Brick, total_weight


class Truck:
    capacity: float = 10.0

    def __init__(self) -> None:
        self.load: list[Article] = []

    def put(self, article: Article) -> None:
        if total_weight([*self.load, article]) > self.capacity:
            raise ValueError("zu schwer 😀")
        self.load.append(article)


def loaded() -> Truck:
    truck = Truck()
    truck.put(Brick("größe"))
    return truck
