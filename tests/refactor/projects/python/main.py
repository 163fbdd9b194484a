import bank
from bank import Account, Entry, bump, counter, pairs, total
from bank.everything import report

account = Account("ann").pay(60, label="a").pay(30).pay(20)
entry = Entry(amount=3)
entry.cents = 500
print(account.balance, sorted(account.labels().items()), entry, entry.cents)
print(total([account, Account.of("bo", 1, 2)]), bank.LIMIT, report(account))
print(bump(), bump(by=2), pairs([1, 2]))
up, down = counter(20)
print(up(), down(), down())
