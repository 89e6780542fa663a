"""Parses every cassette below the current folder with libyaml's loader, and does nothing else.

python load_files.py      one file after the other
python load_files.py 2    by two processes at once, half of the files each
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import yaml


def load(paths: list[Path]) -> None:
    for path in paths:
        with path.open("rb") as file:
            yaml.load(file, Loader=yaml.CSafeLoader)


if __name__ == "__main__":
    files = list(Path().glob("cassettes/**/*.yaml"))
    if sys.argv[1:]:
        count = int(sys.argv[1])
        with ProcessPoolExecutor(count) as pool:
            list(pool.map(load, [files[part::count] for part in range(count)]))
    else:
        load(files)
