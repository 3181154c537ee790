"""The examples in the documentation run."""

from __future__ import annotations

import doctest

import counterplay
import pytest
from counterplay import dilemma, planning


@pytest.mark.parametrize("module", [counterplay, planning, dilemma], ids=lambda module: module.__name__)
def test_examples_of_a_module(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0 and result.failed == 0
