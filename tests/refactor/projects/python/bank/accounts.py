from __future__ import annotations

from dataclasses import dataclass, field

from . import counting
from .rates import RATE as rate, taxed


@dataclass
class Entry:
    amount: int
    label: str = "none"
    tags: list[str] = field(default_factory=list)

    @property
    def cents(self) -> int:
        return self.amount * 100

    @cents.setter
    def cents(self, value: int) -> None:
        self.amount = value // 100

    def unused_later(self) -> str:
        return self.label.upper()


class Account:
    kind = "plain"

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self._entries: list[Entry] = []

    @property
    def balance(self) -> int:
        return sum(entry.amount for entry in self._entries)

    def pay(self, amount: int, *, label: str = "none") -> Account:
        limit = counting.LIMIT * 10
        if self.balance + amount <= limit:
            entry = Entry(amount, label=label)
            entry.tags.append(self._tag(amount))
            self._entries.append(entry)
        return self

    def _tag(self, amount: int) -> str:
        return f"{self.owner}:{amount}"

    def labels(self) -> dict[str, list[int]]:
        names = {entry.label for entry in self._entries}
        found = {name: [entry.amount for entry in self._entries if entry.label == name] for name in names}
        return found

    @classmethod
    def of(cls, owner: str, *amounts: int) -> Account:
        made = cls(owner)
        for amount in amounts:
            made.pay(amount)
        return made

    @staticmethod
    def rounded(value: float) -> int:
        return round(value)


def total(accounts: list[Account]) -> int:
    gross = [taxed(account.balance) for account in accounts]
    return Account.rounded(sum(gross) * (1 + rate))
