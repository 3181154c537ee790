"""python-chess: belief states of Kriegspiel to and from boards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import chess

from ..kriegspiel import Belief


def to_boards(belief: Belief) -> list[chess.Board]:
    """The positions of a belief state as boards. Only boards of eight files are boards of python-chess."""
    boards = []
    for fen in belief.positions:
        if fen.split()[0].count("/") != 7:
            raise ValueError(f"python-chess has boards of 8 x 8 only: {fen}")
        boards.append(chess.Board(fen))
    return boards


def from_boards(boards: Iterable[chess.Board]) -> Belief:
    """A belief state of boards. All have the same side to move, and the same men of that side."""
    return Belief([board.fen() for board in boards])


def announcement(board: chess.Board, move: chess.Move) -> dict[str, Any]:
    """What the referee says of a try, in the form that histories have it in `percept`: legality, the square of a capture, checks, end."""
    if move not in board.legal_moves:
        return {"legal": False, "checks": [], "end": None}
    said: dict[str, Any] = {"legal": True, "checks": [], "end": None}
    if board.is_capture(move):
        square = move.to_square
        if board.is_en_passant(move):
            square = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        said["capture"] = chess.square_name(square)
    after = board.copy(stack=False)
    after.push(move)
    said["checks"] = sorted(_checks(after))
    if after.is_checkmate():
        said["end"] = "checkmate"
    elif after.is_stalemate():
        said["end"] = "stalemate"
    elif after.is_insufficient_material():
        said["end"] = "insufficient"
    return said


def _checks(board: chess.Board) -> set[str]:
    """How the king of the side to move is attacked: along file, rank, a diagonal, or by a knight. The long diagonal is the longer of the two
    through the king's square."""
    king = board.king(board.turn)
    if king is None:
        return set()
    found = set()
    for square in board.checkers():
        piece = board.piece_type_at(square)
        if piece == chess.KNIGHT:
            found.add("knight")
        elif chess.square_file(square) == chess.square_file(king):
            found.add("file")
        elif chess.square_rank(square) == chess.square_rank(king):
            found.add("rank")
        else:
            found.add(_diagonal(king, square))
    return found


def _diagonal(king: int, attacker: int) -> str:
    file, rank = chess.square_file(king), chess.square_rank(king)
    rises = (chess.square_file(attacker) - file) * (chess.square_rank(attacker) - rank) > 0
    rising = 8 - abs(file - rank)
    falling = 8 - abs(file + rank - 7)
    own, other = (rising, falling) if rises else (falling, rising)
    return "long" if own > other else "short"
