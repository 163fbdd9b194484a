"""What lies on the shelves."""

from __future__ import annotations

from abc import ABC, abstractmethod


class Article(ABC):
    """Something with a weight."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def weight(self) -> float:
        """Weight in kilograms."""


class Brick(Article):
    def weight(self) -> float:
        return 2.5


class Feather(Article):
    def weight(self) -> float:
        return 0.001


def total_weight(articles: list[Article]) -> float:
    """Adds up weights."""
    return sum(article.weight() for article in articles)
