"""DeepEval's `evaluate()` with its bias metric; runs in an environment that has DeepEval."""

import sys

from deepeval import evaluate  # type: ignore[import-not-found]
from deepeval.evaluate import DisplayConfig  # type: ignore[import-not-found]
from deepeval.metrics import BiasMetric  # type: ignore[import-not-found]
from deepeval.test_case import LLMTestCase  # type: ignore[import-not-found]

CASES = [
    LLMTestCase(input=f"question {number}", actual_output=f"I think answer {number} is poor.")
    for number in range(int(sys.argv[1]))
]
SHOWN = DisplayConfig(print_results=False, show_indicator=False)
RESULT = evaluate(CASES, [BiasMetric(threshold=0.5)], display_config=SHOWN)
assert all(found.success for found in RESULT.test_results)
