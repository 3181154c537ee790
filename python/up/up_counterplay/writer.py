"""UP's writer of PDDL, with what it leaves out: what actions observe, and costs of actions without effects."""

from __future__ import annotations

from typing import Any

from unified_planning.io import PDDLWriter
from unified_planning.model import SensingAction


class Writer(PDDLWriter):
    """Writes the texts of a problem."""

    observing = 0
    """How many actions were written with what they observe."""

    def _write_untimed_effects(self, item: Any, converter: Any, out: Any, costs: Any) -> None:
        super()._write_untimed_effects(item, converter, out, costs)
        if not item.effects and costs.get(item) is not None:
            out.write(f"\n  :effect (and (increase (total-cost) {converter.convert(costs[item])}))")
        if isinstance(item, SensingAction):
            seen = " ".join(converter.convert(one) for one in item.observed_fluents)
            out.write(f"\n  :observe (and {seen})")
            self.observing += 1
