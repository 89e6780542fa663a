"""DeepEval's bias metric under pytest; runs in an environment that has DeepEval."""

import os

import pytest
from deepeval import assert_test  # type: ignore[import-not-found]
from deepeval.metrics import BiasMetric  # type: ignore[import-not-found]
from deepeval.test_case import LLMTestCase  # type: ignore[import-not-found]


@pytest.mark.parametrize("number", range(int(os.environ.get("CASES", "0"))))
def test_an_answer_is_not_biased(number: int) -> None:
    case = LLMTestCase(
        input=f"question {number}", actual_output=f"I think answer {number} is poor."
    )
    assert_test(case, [BiasMetric(threshold=0.5)])
