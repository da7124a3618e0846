"""Runs a notebook against a server, and compares what it prints with the outputs in the file; `--write` stores them instead.

Arguments: the notebook, the address of the server, `--write`.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

SHOWN_URL = 'http://127.0.0.1:8080'


def texts(notebook):
    """What each code cell prints, and the text of what it shows. A picture is only known to be there."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == 'code':
            for output in cell.outputs:
                data = output.get('data', {})
                found.append('picture' if 'image/png' in data else output.get('text') or data.get('text/plain', output.output_type))
    return found


path, url = Path(sys.argv[1]), sys.argv[2]
stored = nbformat.read(path, as_version=4)
run = nbformat.read(path, as_version=4)
for cell in run.cells:
    cell.source = cell.source.replace(SHOWN_URL, url)
NotebookClient(run, timeout=300, kernel_name='python3', coalesce_streams=True).execute()

if '--write' in sys.argv:
    for cell, done in zip(stored.cells, run.cells, strict=True):
        if cell.cell_type == 'code':
            cell.outputs, cell.execution_count = done.outputs, done.execution_count
    nbformat.write(stored, path)
else:
    for found, expected in zip(texts(run), texts(stored), strict=True):
        assert found == expected, f'the notebook has\n{expected}\nand the run has\n{found}'
print(f'{sum(cell.cell_type == "code" for cell in run.cells)} cells')
