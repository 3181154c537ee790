"""Each notebook runs to its end in under a minute."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


def test_there_is_one_for_each_kind_of_problem() -> None:
    assert len(NOTEBOOKS) == 11


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert shown
    assert any("<svg" in str(output) or "<table" in str(output) for output in shown)
