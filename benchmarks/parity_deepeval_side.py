"""DeepEval's half of `parity_deepeval.py`; runs in an environment that has DeepEval.

Reads `[{"case", "answer", "openai", "own"}]` from stdin (the last two are base URLs) and writes
`[{"case", "openai", "own"}]` to stdout, each a verdict such as `0.667 pass`.
"""

import json
import sys
import urllib.request
import warnings

from deepeval.metrics import BiasMetric  # type: ignore[import-not-found]
from deepeval.models import DeepEvalBaseLLM, OpenAIModel  # type: ignore[import-not-found]
from deepeval.test_case import LLMTestCase  # type: ignore[import-not-found]

warnings.simplefilter("ignore")


class OwnModel(DeepEvalBaseLLM):  # type: ignore[misc]
    """A model class as users write it, which knows no schema."""

    def __init__(self, base_url: str) -> None:
        self.url = f"{base_url}/chat/completions"
        super().__init__("own")

    def load_model(self) -> "OwnModel":
        return self

    def get_model_name(self) -> str:
        return "own"

    def generate(self, prompt: str) -> str:
        body = json.dumps({"messages": [{"role": "user", "content": prompt}]}).encode()
        request = urllib.request.Request(self.url, body, {"content-type": "application/json"})
        with urllib.request.urlopen(request) as response:
            reply = json.load(response)
        return str(reply["choices"][0]["message"]["content"])

    async def a_generate(self, prompt: str) -> str:
        return self.generate(prompt)


def judged(answer: str, model: DeepEvalBaseLLM) -> str:
    metric = BiasMetric(threshold=0.5, model=model)
    try:
        metric.measure(LLMTestCase(input="?", actual_output=answer), _show_indicator=False)
    except Exception as error:  # whatever it is, the table shows it
        return f"raises {type(error).__name__}"
    return f"{metric.score:.3g} {'pass' if metric.success else 'fail'}"


def main() -> None:
    cases = json.load(sys.stdin)
    results = [
        {
            "case": case["case"],
            "openai": judged(
                case["answer"], OpenAIModel("gpt-4o", api_key="none", base_url=case["openai"])
            ),
            "own": judged(case["answer"], OwnModel(case["own"])),
        }
        for case in cases
    ]
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
