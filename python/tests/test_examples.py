"""The examples: every doctest of the package, and the README, against the demo of a fixed day."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import tidemark

#: Of the demo of 2026-06-30, without API keys.
FIXED_URL = os.environ.get('TIDEMARK_TEST_FIXED_URL', '')
#: What the examples say.
SHOWN_URL = 'http://127.0.0.1:8080'
MISSING = [name for name in ('pandas', 'polars', 'pyarrow') if importlib.util.find_spec(name) is None]


@unittest.skipUnless(FIXED_URL, 'TIDEMARK_TEST_FIXED_URL names no server: npm test starts one')
@unittest.skipIf(MISSING, f'this Python has no {", ".join(MISSING)}')
class ExamplesTest(unittest.TestCase):
    def test_every_example_of_the_package_is_true(self) -> None:
        count = 0
        with tidemark.Tidemark(FIXED_URL) as tm:
            known = {**vars(tidemark), 'tm': tm}
            names = ['tidemark', *(f'tidemark.{info.name}' for info in pkgutil.iter_modules(tidemark.__path__))]
            for name in names:
                module = importlib.import_module(name)
                for test in doctest.DocTestFinder().find(module, extraglobs=known):
                    for example in test.examples:
                        example.source = example.source.replace(SHOWN_URL, FIXED_URL)
                    said: list[str] = []
                    result = doctest.DocTestRunner().run(test, out=said.append)
                    self.assertEqual(result.failed, 0, ''.join(said))
                    count += result.attempted
        self.assertGreater(count, 40)

    def test_every_public_method_has_an_example(self) -> None:
        without = {'close', 'alerts', 'request', 'profile', 'publications'}
        for name, member in vars(tidemark.Tidemark).items() | vars(tidemark.Tidemark.__mro__[1]).items():
            if callable(member) and not name.startswith('_') and name not in without:
                self.assertIn('>>>', tidemark.Tidemark.__dict__.get(name, member).__doc__ or '', name)

    def test_the_readme_runs(self) -> None:
        page = (Path(__file__).parents[1] / 'README.md').read_text()
        blocks = re.findall(r'```python\n(.*?)```', page, re.DOTALL)
        self.assertGreater(len(blocks), 5)
        before = Path.cwd()
        with TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                scope: dict[str, object] = {}
                for block in blocks:
                    exec(compile(block.replace(SHOWN_URL, FIXED_URL), 'README.md', 'exec'), scope)
            finally:
                os.chdir(before)
