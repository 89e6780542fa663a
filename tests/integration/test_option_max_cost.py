"""`--content-bias-max-cost`: a bound in the currency of the configured prices."""

import pytest

from tests.integration.conftest import CALLS, Project


@pytest.fixture
def priced(project: Project) -> Project:
    """A project whose models have prices."""
    return with_prices(project, "max_tokens: 1000, price: {input: 1.0, output: 2.0}")


def with_prices(project: Project, words: str) -> Project:
    model = project.model.replace("}", f", {words}}}")
    project.write(
        "content_bias.yaml",
        f"generator: {model}\njudge: {model}\nsystem: {{type: chat, model: {model}}}\n",
    )
    return project


def test_nothing_is_called_that_may_cost_more_than_the_bound(priced: Project) -> None:
    result = priced.record("--content-bias-max-cost=0.000001")
    result.assert_outcomes(errors=1)
    assert priced.chat.total == 0
    result.stdout.fnmatch_lines(["*--content-bias-max-cost*"])


def test_a_bound_in_between_keeps_what_was_paid(project: Project) -> None:
    """Each call costs 7, and may cost 10: 5 of them fit one after the other, fewer at once."""
    with_prices(project, "max_tokens: 10, price: {input: 0, output: 1000000}")
    project.record("--content-bias-max-cost=40").assert_outcomes(errors=1)
    assert 0 < project.chat.total <= 5
    project.record().assert_outcomes(passed=1)
    assert project.chat.total == CALLS


def test_a_bound_that_suffices_changes_nothing(priced: Project) -> None:
    priced.record("--content-bias-max-cost=10").assert_outcomes(passed=1)


def test_without_prices_a_bound_is_an_error_that_says_what_to_add(project: Project) -> None:
    result = project.record("--content-bias-max-cost=10")
    result.assert_outcomes(errors=1)
    assert project.chat.total == 0
    result.stdout.fnmatch_lines(["*needs a price of the generator's model*content_bias.yaml*"])


@pytest.mark.parametrize("value", ["cheap", "-1", "nan", ""])
def test_a_value_that_is_no_amount_is_a_usage_error(project: Project, value: str) -> None:
    result = project.record(f"--content-bias-max-cost={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --content-bias-max-cost: expected an amount *"])
