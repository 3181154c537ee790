"""Why a problem is not taken."""

from __future__ import annotations


class Untranslatable(Exception):
    """A problem that PDDL has no words for, or that we do not do."""


class Inapplicable(Exception):
    """An action of a plan that can never be applied."""
