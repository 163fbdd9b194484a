from inventory.stock import Feather, total_weight
from inventory.truck import loaded


def test_loaded() -> None:
    truck = loaded()
    truck.put(Feather("f"))
    assert total_weight(truck.load) > 2
