__all__ = ["bump", "counter", "pairs"]

LIMIT = 10
_calls = 0


def bump(by: int = 1) -> int:
    global _calls
    _calls += by
    return _calls


def counter(start: int):
    value = start
    step = 10 if start > 10 else 1

    def up() -> int:
        nonlocal value
        value += step
        return value

    def down() -> int:
        nonlocal value
        value -= step
        return value

    return up, down


def pairs(items: list[int]) -> list[tuple[int, int]]:
    doubled = [item * 2 for item in items]
    item = len(doubled)
    result = [(item, other) for item in items for other in doubled if item != other]
    result.append((item, -1))
    return result


def lazily(items: list[int]):
    for item in items:
        got = yield item
        if got:
            return


async def fetch(get, keys: list[str]) -> int:
    sum_ = 0
    for key in keys:
        value = await get(key)
        sum_ += value
    return sum_
