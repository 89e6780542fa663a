"""No content of a file may end in anything but an error of its author's making."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_content_bias.files import yaml_reader
from pytest_content_bias.files.case_file import read_case_file
from pytest_content_bias.files.project_file import read_project_file
from pytest_content_bias.files.prompt_library import PromptLibrary
from pytest_content_bias.vocabulary.errors import UserFileError

CASE_FILE = """\
# a comment
metrics: [content_bias, opinion_bias]
threshold: {content_bias: 0.8, opinion_bias: 1}
config: &c {language: de, categories: {a: b}}
cases:
- input_id: one
  prompt: >-
    What is
    it?
  expected_output: "It \\u0041"
  retrieved_context: [a, 'b']
  tags: [a, b]
  config: {<<: *c, strict_mode: true}
- input_id: two
  prompt:
  - {role: user, content: Hello}
  expected_output: Hi.
"""
PROJECT = """\
generator: &m {model: "${M:-a}", api_key: '${K:-b}', price: {input: 1, output: 2}}
judge: {<<: *m, scoring: level}
system:
  type: http
  url: https://user:pw@h:80/ask?token=a
  headers: {Authorization: Bearer x}
  body: {q: '{{ question }}', h: ['{{ history }}']}
  fingerprint: [a, b]
secret_patterns: ['sk-[a-z]+']
"""
PROMPT = """\
absent: (none)
messages:
- {role: system, content: Judge.}
- role: user
  content: |
    {{ question }} {{ answer }}
"""
FRAGMENTS = (
    *"\n\t {}[],:&*!|>'\"%@`#-?$~\0\x07\x85\u2028\ufeff\ud83d é😀0",
    *("  ", "- ", ": ", "<<: ", "*c", "&c ", "!!int ", "!!str ", "---\n", "...\n", "null", "yes"),
    *("no", "1e999", ".nan", "2024-05-01", "0x1f", "9" * 60, "[" * 80, "{a: " * 80, '"\\ud800"'),
    *("${", "${X}", "${X:-", "$$", "{{ x }}", "cases", "input_id", "type: ", "config: ", "(", "*"),
)
SEEDS = (CASE_FILE, PROJECT, PROMPT)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A valid file with parts of it deleted, repeated, moved and replaced."""
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 30)))
        piece = draw(
            st.sampled_from(FRAGMENTS) | st.just(text[start:end] * 2) | st.text(max_size=9)
        )
        text = text[:start] + piece + text[end:]
    return text.encode("utf-8", "surrogatepass")


CONTENTS = st.one_of(
    st.binary(),
    st.text().map(str.encode),
    st.lists(st.sampled_from(FRAGMENTS)).map(
        lambda parts: "".join(parts).encode("utf-8", "replace")
    ),
    mutated(),
    st.sampled_from(SEEDS).map(lambda text: text.encode("utf-16")),
)
ENVIRON = {"X": "http://[", "M": "1e5", "K": "\0secret"}


def read_all_as_cases(path: Path) -> None:
    for entry in read_case_file(path, path.parent):
        assert entry.case.input_id
        assert entry.configs.keys() == set(entry.metrics)


def read_as_project(path: Path) -> None:
    assert read_project_file(path, ENVIRON, recording=False).config.judge.model


def read_as_prompt(path: Path) -> None:
    assert PromptLibrary(path.parent.parent).get("en", "judge").messages


READERS: Mapping[str, Callable[[Path], None]] = {
    "case file": read_all_as_cases,
    "project file": read_as_project,
    "prompt": read_as_prompt,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "en").mkdir()
    return tmp_path / "en" / "judge.yaml"


def outcome(reader: Callable[[Path], None], path: Path, content: bytes) -> str | None:
    path.write_bytes(content)
    try:
        reader(path)
    except UserFileError as error:
        return str(error)
    return None


@pytest.mark.parametrize("parser", [yaml.CSafeLoader, yaml.SafeLoader])
@pytest.mark.parametrize("reader", READERS)
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=CONTENTS)
def test_whatever_a_file_holds_it_is_read_or_refused_in_one_to_three_lines(
    reader: str, parser: type, path: Path, content: bytes
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_reader, "_LOADER", parser)
        message = outcome(READERS[reader], path, content)

    assert message is None or message.startswith(str(path))
    assert message is None or len(message.splitlines()) <= 3
    assert message is None or message.replace("\n", "").isprintable()


@pytest.mark.parametrize(("reader", "seed"), list(zip(READERS, SEEDS, strict=True)))
def test_the_files_that_the_mutations_start_from_are_read(
    reader: str, seed: str, path: Path
) -> None:
    assert outcome(READERS[reader], path, seed.encode()) is None
