"""endplay: deals and play records as objects on both sides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from endplay.types import Card, Deal

from .._types import BridgePlayAnswer, BridgeShowAnswer


def to_deal(board: BridgeShowAnswer) -> Any:
    """The hands of a board (`bridge.show`, `bridge.deal`) as a deal of endplay."""
    if any(hand is None for hand in board.hands):
        raise ValueError("a hand of the board is not known")
    return Deal("N:" + " ".join(str(hand) for hand in board.hands))


def from_deal(deal: Any) -> str:
    """A deal of endplay as our functions take it: `bridge.plan(from_deal(deal), contract="3NT")`."""
    return str(deal.to_pbn())


def to_play(answer: BridgePlayAnswer) -> list[Any]:
    """The cards of a board that was played, in their order, as cards of endplay."""
    return [Card(card) for card in answer.play]


def from_play(cards: Iterable[Any]) -> list[str]:
    """Cards of endplay as we write them, such as `HQ`."""
    return [f"{card.suit.name[0].upper()}{card.rank.abbr}" for card in cards]

