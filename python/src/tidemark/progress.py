"""A progress bar for work that takes long: that of tqdm, if it is installed."""

from __future__ import annotations

from typing import Any

from .closing import Closing


class Progress(Closing):
    """A bar, or nothing.

    `shown`: True for always, False for never, None for when standard error is a terminal or
    the program a notebook.
    """

    def __init__(self, shown: bool | None, title: str, total: int | None, unit: str) -> None:
        self._bar = None if shown is False else _bar(shown, title, total, unit)

    def close(self) -> None:
        """Leaves the bar as it is."""
        if self._bar is not None:
            self._bar.close()

    def add(self, count: int = 1) -> None:
        """So much more is done."""
        if self._bar is not None:
            self._bar.update(count)


def _bar(shown: bool | None, title: str, total: int | None, unit: str) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if shown:
            raise ImportError('progress=True needs tqdm: pip install tqdm') from None
        return None
    # `disable=None` is tqdm's word for "unless it is a terminal".
    return tqdm(desc=title, total=total, unit=unit, unit_scale=unit == 'B', disable=None if shown is None else False)
