"""`score_case`: one row in, one result out, without pytest."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_content_bias.cassettes.allowed_hosts import AllowedHosts
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cassettes.user_calls import UserCalls
from pytest_content_bias.cassettes.user_cassette import UserCassette
from pytest_content_bias.files.case_file import read_case_text
from pytest_content_bias.files.project_file import read_project_file
from pytest_content_bias.files.prompt_library import PromptLibrary
from pytest_content_bias.models.http_sender import HttpSender
from pytest_content_bias.session.players import METRICS, make_roles
from pytest_content_bias.vocabulary.errors import UserFileError
from pytest_content_bias.vocabulary.protocols import Bench
from pytest_content_bias.vocabulary.score import CaseScore

_NAME = "row"
_USER_CALLS = UserCalls(AllowedHosts())


async def score_case(
    row: Mapping[str, Any],
    *,
    project: Path | str,
    cassette: Path | str,
    record: str = "none",
    metric: str = "content_bias",
    config: Mapping[str, Any] | None = None,
    prompt_dir: Path | str | None = None,
    min_valid_variants: int = 2,
) -> CaseScore:
    """Score one row.

    Args:
        row: a case as in a case file: `input_id`, `prompt`, `expected_output`,
            `retrieved_context`, `sut_response`, …
        project: the project file that says who plays each role.
        cassette: the file that the calls are replayed from and recorded into.
        record: `none`, `missing`, `all`, or roles joined by commas.
        metric: `content_bias` or `opinion_bias`.
        config: fields of the metric's configuration.
        prompt_dir: a folder of prompts that take the place of built-in ones.
        min_valid_variants: the least number of valid variants, 1 to 3.

    Returns:
        The score; `value` is None when the case could not be scored, with `failure` or `error`.

    Raises:
        UserFileError: the row, the project file or a prompt cannot be used.
        ContentBiasError: a call could not be made or replayed.
    """
    (entry,) = read_case_text(_text(row, metric, config or {}), _NAME)
    mode = RecordMode.parse(record)
    described = read_project_file(Path(project), os.environ, recording=mode.network)
    sender = HttpSender() if mode.network else None
    case_cassette = UserCassette(
        Path(cassette),
        entry.case.case_id,
        mode,
        sender,
        record_command="score_case(…)",
        secrets=SecretScreen(described.secrets, described.config.secret_patterns),
    )
    bench = Bench(
        case=entry.case,
        exchange=case_cassette,
        roles=make_roles(described.config, described.path.parent),
        prompts=PromptLibrary(None if prompt_dir is None else Path(prompt_dir)),
        min_valid_variants=min_valid_variants,
    )
    try:
        async with case_cassette.working():
            with _USER_CALLS.at_work(), _USER_CALLS.in_case(case_cassette):
                score = await METRICS[metric](bench, entry.configs[metric])
            if score.error is None:
                case_cassette.finish()
    finally:
        if sender is not None:
            await sender.aclose()
    return score


def _text(row: Mapping[str, Any], metric: str, config: Mapping[str, Any]) -> str:
    """The case file that a row would stand in."""
    try:
        file = {"metrics": [metric], "config": dict(config), "cases": [dict(row)]}
        return json.dumps(file, allow_nan=False)
    except (TypeError, ValueError) as error:
        problem = f"it holds what JSON cannot hold: {error}"
        raise UserFileError(_NAME, None, None, problem) from None
