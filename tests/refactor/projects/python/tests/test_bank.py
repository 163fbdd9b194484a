import asyncio
import unittest

import bank
import bank.counting
from bank import Account, Entry
from bank.counting import fetch, lazily
from bank import *
from bank.everything import report


async def length(key: str) -> int:
    return len(key)


class BankTest(unittest.TestCase):
    def test_accounts(self) -> None:
        account = Account.of("ann", 60, 30, 20)
        self.assertEqual(account.balance, 90)
        self.assertEqual(account.labels(), {"none": [60, 30]})
        self.assertEqual(report(account), "ann has 45.0")
        self.assertEqual(bank.total([account]), 68)

    def test_entries(self) -> None:
        entry = Entry(1, label="x")
        entry.cents += 200
        self.assertEqual((entry.amount, entry.cents, entry.tags), (3, 300, []))

    def test_counting(self) -> None:
        start = bank.bump(0)
        self.assertEqual(bank.bump() - start, 1)
        self.assertEqual(bank.pairs([1, 2]), [(1, 2), (1, 4), (2, 4), (2, -1)])
        walk = lazily([1, 2, 3])
        self.assertEqual([next(walk), next(walk)], [1, 2])
        self.assertEqual(asyncio.run(fetch(length, ["a", "bb"])), 3)
