"""What a run with cases begins with."""

import pytest

from pytest_content_bias.session.census import Census, WorkerCensus
from pytest_content_bias.session.controller import Controller
from pytest_content_bias.session.settings import read_settings
from pytest_content_bias.session.state import DRY_RUN, SETTINGS, WATCHER
from pytest_content_bias.vocabulary.errors import SettingsError


def begin(config: pytest.Config, started: float) -> Census:
    """Check the settings and register what watches the run.

    Args:
        config: pytest's configuration.
        started: when pytest started, by the monotonic clock.

    Raises:
        UsageError: a setting cannot be used.
    """
    try:
        settings = config.stash[SETTINGS] = read_settings(config)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from None
    if settings.dry_run:
        if config.getoption("numprocesses", None):
            raise pytest.UsageError("--content-bias-dry-run counts in one process: leave out -n")
        from pytest_content_bias.session.dry_run import DryRun

        config.stash[DRY_RUN] = DryRun()
    worker = hasattr(config, "workerinput")
    watcher = WorkerCensus(config) if worker else Controller(config, settings, started)
    config.pluginmanager.register(watcher, WATCHER)
    return watcher
