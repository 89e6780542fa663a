"""What the plots share."""

from pytest_content_bias.reports.inert import html

WIDTH, HEIGHT = 340, 180
"""The coordinates of every plot; the page scales it."""


def svg(label: str, content: str) -> str:
    """An SVG image.

    Args:
        label: what a screen reader says of it.
        content: its elements.
    """
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="{html(label)}">{content}</svg>'
    )
