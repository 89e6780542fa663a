"""`--content-bias-max-cost`: a bound in the currency of the configured prices."""

import pytest

from tests.integration.conftest import CALLS, Project


@pytest.fixture
def priced(project: Project) -> Project:
    """A project whose models have prices."""
    model = project.model.replace("}", ", max_tokens: 1000, price: {input: 1.0, output: 2.0}}")
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


def test_a_bound_in_between_keeps_what_was_paid(priced: Project) -> None:
    priced.record("--content-bias-max-cost=0.009").assert_outcomes(errors=1)
    paid = priced.chat.total
    assert 0 < paid < CALLS
    priced.record().assert_outcomes(passed=1)
    assert priced.chat.total == CALLS


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
