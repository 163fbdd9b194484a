from .accounts import *
from .rates import *


def report(account: Account) -> str:
    text = f"{account.owner} has {taxed(account.balance):.1f}"
    return text
