"""Every row of a large listing into pandas: by the package, and by pandas itself from CSV. Prints the seconds of each as JSON.

Arguments: the address of the server, the number of rows, the number of rounds.
"""

import json
import sys
import time
from importlib.metadata import version

import pandas as pd

from tidemark import Tidemark

url, rows, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
tm = Tidemark(url)


def package():
    return tm.listing(limit=rows).to_pandas()


def pages():
    parts = [tm.listing(limit=rows // 10, page=page).to_pandas() for page in range(1, 11)]
    return pd.concat(parts)


def export():
    return tm.export('ta-cur').to_pandas()


def read_csv():
    return pd.read_csv(
        f'{url}/v1/crypto/ta-cur?format=csv&limit={rows}',
        index_col='symbol',
        parse_dates=['datetimeUTC'],
        keep_default_na=False,
        na_values=[''],
    )


def seconds(read):
    began = time.perf_counter()
    frame = read()
    return time.perf_counter() - began, frame


ways = {'package': package, 'pages': pages, 'export': export, 'read_csv': read_csv}
times = {name: [] for name in ways}
for number in range(rounds + 1):
    for name, read in ways.items():
        took, frame = seconds(read)
        assert len(frame) == rows, (name, len(frame))
        if number == 0:
            # The first round warms up, and compares what was read.
            exact = package() if name == 'read_csv' else None
            if exact is not None:
                pd.testing.assert_frame_equal(frame.sort_index(), exact.sort_index(), check_dtype=False, check_exact=True)
        else:
            times[name].append(took)
        del frame
        print(name, number, round(took, 2), file=sys.stderr)

print(json.dumps({'times': times, 'versions': {name: version(name) for name in ('pandas', 'pyarrow')}}))
