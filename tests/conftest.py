"""Settings of all tests."""

import signal

from hypothesis import settings

# How long an example takes says nothing on a machine that others use, too.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

# A shell that starts the tests in the background has them ignore Ctrl-C; some tests press it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
