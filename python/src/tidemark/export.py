"""A whole dataset of one publication, as one Parquet file."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from .frames import required
from .progress import Progress
from .transport import Response, Transport
from .values import names

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

PART_BYTES = 2**20


class Export:
    """A whole dataset. Nothing is sent until it is read.

    `columns` names the columns to read. `progress` shows a progress bar (of tqdm, if it is
    installed): by default, in a terminal or a notebook.

    >>> tm.export('assets').to_arrow().num_rows
    155
    """

    def __init__(self, transport: Transport, path: str, dataset: str) -> None:
        self._transport = transport
        self._path = path
        self._dataset = dataset

    def __repr__(self) -> str:
        return f'Export({self._dataset!r})'

    def to_file(self, path: str | os.PathLike[str], progress: bool | None = None) -> Path:
        """Writes the Parquet file, and returns its path.

        The file gets its name when it is complete.
        """
        final = Path(path)
        part = final.with_name(f'{final.name}.part')
        try:
            with part.open('wb') as file:
                self._download(file, progress)
            part.replace(final)
        except _WriteError as error:
            raise error.reason from None
        finally:
            part.unlink(missing_ok=True)
        return final

    def to_arrow(self, columns: str | Iterable[str] | None = None, progress: bool | None = None) -> pa.Table:
        """The dataset as a table of pyarrow."""
        pa = required('pyarrow', 'to_arrow()')
        parquet = required('pyarrow.parquet', 'to_arrow()')
        file = parquet.ParquetFile(pa.BufferReader(pa.py_buffer(self._content(progress))))
        return file.read(self._known(columns, file.schema_arrow.names))

    def to_polars(self, columns: str | Iterable[str] | None = None, progress: bool | None = None) -> pl.DataFrame:
        """The dataset as a Polars frame."""
        pl = required('polars', 'to_polars()')
        content = self._content(progress)
        return pl.read_parquet(content, columns=self._known(columns, pl.read_parquet_schema(content)))

    def to_pandas(self, columns: str | Iterable[str] | None = None, progress: bool | None = None) -> pd.DataFrame:
        """The dataset as a pandas frame, with a number as its index.

        It needs pyarrow, which reads Parquet.
        """
        required('pandas', 'to_pandas()')
        required('pyarrow', 'to_pandas() of an export')
        return self.to_arrow(columns, progress).to_pandas(split_blocks=True, self_destruct=True)

    def _known(self, columns: str | Iterable[str] | None, known: Iterable[str]) -> list[str] | None:
        """The columns, all of which the file has."""
        if columns is None:
            return None
        wanted, has = names(columns), list(known)
        for name in wanted:
            if name not in has:
                raise TypeError(f'{self._dataset} has no column {name!r}; it has {", ".join(has)}')
        return wanted

    def _content(self, progress: bool | None) -> bytes:
        memory = io.BytesIO()
        self._download(memory, progress)
        return memory.getvalue()

    def _download(self, file: IO[bytes], progress: bool | None) -> None:
        def read(response: Response) -> None:
            response.expect('parquet')
            file.seek(0)
            file.truncate()
            with Progress(progress, f'{self._dataset}.parquet', response.number('content-length'), 'B') as bar:
                while part := response.raw.read(PART_BYTES):
                    _write(file, part)
                    bar.add(len(part))

        self._transport.send(self._path, {}, read, {'accept-encoding': 'identity'})


class _WriteError(Exception):
    """The disk refuses the file: not a failure of the network, which would be tried again."""

    def __init__(self, reason: OSError) -> None:
        self.reason = reason


def _write(file: IO[bytes], part: bytes) -> None:
    try:
        file.write(part)
    except OSError as error:
        raise _WriteError(error) from error
