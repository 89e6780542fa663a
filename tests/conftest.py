"""Settings of all tests."""

from hypothesis import settings

# How long an example takes says nothing on a machine that others use, too.
settings.register_profile("project", deadline=None)
settings.load_profile("project")
