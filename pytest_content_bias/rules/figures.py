"""How scores are rounded and shown."""

DIGITS = 9
"""Scores are compared on values rounded to this many decimals."""


def shown(value: float, *beside: float) -> str:
    """A value for readers: two decimals, or as many as set it apart from those beside it.

    Args:
        value: the value to show.
        beside: values it is shown with; 0.7999 beside 0.8 is not shown as 0.80.
    """
    for digits in range(2, DIGITS):
        text = f"{value:.{digits}f}"
        if all(text != f"{other:.{digits}f}" or not _differ(value, other) for other in beside):
            return text
    return f"{value:.{DIGITS}f}"


def _differ(one: float, other: float) -> bool:
    return round(one, DIGITS) != round(other, DIGITS)
