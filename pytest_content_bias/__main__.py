"""Entry of `python -m pytest_content_bias`."""

import sys

from pytest_content_bias.cli.main import main

sys.exit(main(sys.argv[1:]))
