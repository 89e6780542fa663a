from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_content_bias.files.project_file import Project, find_project_file, read_project_file
from pytest_content_bias.vocabulary.errors import UserFileError
from pytest_content_bias.vocabulary.project import (
    ChatSystemConfig,
    HttpSystemConfig,
    Price,
    PythonSystemConfig,
)

JUDGE = "judge: {model: m}\n"
CHAT = JUDGE + "system:\n  type: chat\n  model: {model: m}\n"
HTTP = JUDGE + "system:\n  type: http\n  url: https://rag.example/ask\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "content_bias.yaml"


def read(
    file: Path, text: str, environ: Mapping[str, str] | None = None, *, recording: bool = False
) -> Project:
    file.write_text(text, encoding="utf-8")
    return read_project_file(file, environ or {}, recording=recording)


def problem(
    file: Path, text: str, environ: Mapping[str, str] | None = None, *, recording: bool = False
) -> str:
    with pytest.raises(UserFileError) as caught:
        read(file, text, environ, recording=recording)
    assert caught.value.path == file
    assert caught.value.line is not None
    return f"{caught.value.line}:{caught.value.column}: {caught.value.problem}"


def test_the_nearest_project_file_up_to_the_root_directory_is_found(tmp_path: Path) -> None:
    case = tmp_path / "root" / "a" / "b" / "x.bias.yaml"
    case.parent.mkdir(parents=True)
    root = tmp_path / "root"
    outside, at_root, near = (folder / "c.yaml" for folder in (tmp_path, root, root / "a"))
    outside.touch()

    assert find_project_file(case, root, "c.yaml") is None
    at_root.touch()
    assert find_project_file(case, root, "c.yaml") == at_root
    near.touch()
    assert find_project_file(case, root, "c.yaml") == near


def test_for_a_case_outside_of_the_root_directory_only_its_own_folder_is_searched(
    tmp_path: Path,
) -> None:
    case = tmp_path / "a" / "x.bias.yaml"
    case.parent.mkdir()
    (tmp_path / "c.yaml").touch()

    assert find_project_file(case, tmp_path / "root", "c.yaml") is None
    (case.parent / "c.yaml").touch()
    assert find_project_file(case, tmp_path / "root", "c.yaml") == case.parent / "c.yaml"


def test_a_whole_project_is_read(file: Path) -> None:
    project = read(
        file,
        "generator: &m\n  base_url: ${URL:-http://127.0.0.1:1/v1}\n  model: m\n  max_tokens: 9\n"
        "judge:\n  <<: *m\n  scoring: expected_level\n"
        "system:\n  type: chat\n  model: {<<: *m, max_tokens: 5}\n"
        "  system_prompt: Answer in {{ language }}.\n"
        "  template: '{{ context }} {{question}}'\n  fingerprint: [a/**]\n",
    )

    assert project.path == file
    assert project.config.generator is not None
    assert project.config.generator.base_url == "http://127.0.0.1:1/v1"
    assert project.config.judge.scoring == "expected_level"
    assert isinstance(project.config.system, ChatSystemConfig)
    assert project.config.system.model.max_tokens == 5
    assert project.config.system.fingerprint == ("a/**",)


def test_python_and_http_systems_are_read(file: Path) -> None:
    python = read(file, JUDGE + "system: {type: python, target: 'app.rag:answer'}").config.system
    http = read(file, HTTP + "  body: {q: '{{ question }}', k: [1, null]}").config.system

    assert isinstance(python, PythonSystemConfig)
    assert isinstance(http, HttpSystemConfig)
    assert http.body == {"q": "{{ question }}", "k": [1, None]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a", "1:1: expected a mapping, found a list"),
        ("generator: {model: m}", "1:1: the key 'judge' is missing"),
        ("judge: {modle: m}", "1:9: unknown key 'modle'; did you mean 'model'?"),
        ("judge: {model: 4}", "1:16: 'model': expected text, found the number 4: put it in quot"),
        ("judge: {model: ''}", "1:16: 'model': expected some text, found the text ''"),
        ("judge: {model: m, max_tokens: '9'}", "found the text '9': remove the quotation marks"),
        ("judge: {model: m, max_tokens: true}", "expected a whole number, found true"),
        ("judge: {model: m, provider: azure}", "expected 'openai' or 'anthropic', found the text"),
        ("judge: {model: m, price: {input: 1}}", "1:26: the key 'output' is missing"),
        ("judge: {model: m, base_url: localhost}", "1:29: 'base_url': expected an address such as"),
        ("judge: {model: m, base_url: 'http://[a'}", "'base_url': expected an address such as"),
        ("judge: {model: m, base_url: 'http://a:b'}", "'base_url': expected an address such as"),
        (JUDGE + "system: {type: grpc}", "2:16: unknown type 'grpc'; known: chat, http, python"),
        (JUDGE + "system: {url: a}", "2:9: 'system': the key 'type' is missing"),
        (JUDGE + "system: chat", "2:9: 'system': expected a mapping, found the text 'chat'"),
        (JUDGE + "system: {type: python, target: app}", "expected the form ^[A-Za-z_]"),
        (CHAT + "  url: x", "5:3: unknown key 'url'; known keys: fingerprint"),
        (CHAT + "  templte: x", "5:3: unknown key 'templte'; did you mean 'template'?"),
        (CHAT + "  template: Hi", "5:13: 'template': the question would never be asked"),
        (CHAT + "  system_prompt: '{{ contxt }}'", "'contxt'; did you mean 'context'?"),
        (CHAT + "  template: '{{ question }} {{ history }}'", "unknown placeholder 'history'; kno"),
        (HTTP + "  body: {q: [hi]}", "5:9: 'body': the question would never be asked: put {{ q"),
        (HTTP + "  body: ['{{ question }}', {a: '{{ b }}'}]", "5:32: 'a': unknown placeholder 'b'"),
        (HTTP + "  fingerprint: {fils: [a]}", "5:17: unknown key 'fils'; did you mean 'files'?"),
        (HTTP + "  fingerprint: {git: [a], url: b}", "expected exactly one of files, git, url, "),
        (
            HTTP + "  fingerprint: {files: []}",
            "expected exactly one of files, git, url, command; f",
        ),
        (
            HTTP + "  fingerprint: []",
            "5:16: 'fingerprint': expected at least one entry, found none",
        ),
        (HTTP + "  fingerprint: git", "expected a list or a mapping, found the text 'git'"),
        (HTTP + "  fingerprint: [1]", "5:17: 'fingerprint' 1: expected text, found the number 1"),
        (HTTP + "  method: GET\n  body: ['{{ question }}']", "6:9: 'body': expected a mapping"),
        (JUDGE + "secret_patterns: ['(']", "'secret_patterns' 1: not a regular expression"),
        (JUDGE + "secret_patterns: ['a*']", "'secret_patterns' 1: the pattern matches any text"),
        ("judge: {model: '${'}", "1:16: 'model': '${' begins no variable"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_was_expected(
    file: Path, text: str, expected: str
) -> None:
    assert expected in problem(file, text)


@pytest.mark.parametrize("recording", [True, False])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("judge: {model: '${V}'}", "1:16: 'model'"),
        (HTTP.replace("https://rag.example", "${V}"), "4:8: 'url'"),
        (CHAT + "  system_prompt: ${V}", "5:18: 'system_prompt'"),
        (HTTP + "  body: {q: '{{ question }}', k: '${V}'}", "5:34: 'k'"),
        ("judge: {model: m, parameters: {user: '${V}'}}", "1:38: 'user'"),
    ],
)
def test_a_variable_that_decides_what_is_asked_has_to_be_set_in_every_run(
    file: Path, text: str, place: str, recording: bool
) -> None:
    found = problem(file, text, recording=recording)

    assert found.startswith(place)
    assert "the variable V is not set or empty: set it, or give a default, ${V:-…}" in found


@pytest.mark.parametrize(
    "field",
    [
        "api_key: '${V}'",
        "base_url: '${V}/v1'",
        "headers: {a: 'x ${V}', b: c}",
        "query: {a: '${V}'}",
        "price: {input: '${V}', output: 1}",
    ],
)
def test_a_variable_that_only_matters_for_sending_may_be_missing_in_replay(
    file: Path, field: str
) -> None:
    text = f"judge: {{model: m, {field}}}"

    judge = read(file, text).config.judge

    assert judge.api_key is None
    assert judge.base_url is None
    assert judge.price is None
    assert "a" not in judge.headers | judge.query
    assert "the variable V is not set" in problem(file, text, recording=True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("body: {q: '{{ question }}', token: 'Bearer ${V}'}", "Bearer <secret:V>"),
        ("body: {q: '{{ question }}', token: '${D:-none}'}", "none"),
        ("url: 'https://rag.example/?sig=${V}'", "https://rag.example/?sig=<secret:V>"),
        ("url: 'https://me:${V}@rag.example/'", "https://me:<secret:V>@rag.example/"),
        ("url: 'https://${V}:${W}@rag.example/'", "https://<secret:V>:<secret:W>@rag.example/"),
    ],
)
def test_a_secret_that_a_service_is_sent_may_be_missing_in_replay(
    file: Path, field: str, value: str
) -> None:
    url = "" if field.startswith("url") else "url: https://rag.example, "
    text = f"judge: {{model: m}}\nsystem: {{type: http, {url}{field}}}"

    system = read(file, text).config.system

    assert isinstance(system, HttpSystemConfig)
    assert isinstance(system.body, dict)
    assert value in (system.body.get("token"), system.url)
    if "${V}" in field:
        assert "the variable V is not set" in problem(file, text, recording=True)


def test_numbers_may_come_from_variables_and_texts_stay_texts(file: Path) -> None:
    judge = read(
        file,
        "judge: {model: '${N}', max_tokens: '${N}', price: {input: '${N}', output: '${O:-0.5}'}}",
        {"N": "12"},
    ).config.judge

    assert judge.model == "12"
    assert judge.max_tokens == 12
    assert judge.price == Price(input=12, output=0.5)


def test_a_variable_that_is_no_number_is_refused_where_a_number_is_needed(file: Path) -> None:
    found = problem(file, "judge: {model: m, max_tokens: '${N}'}", {"N": "many"})

    assert "'max_tokens': expected a whole number, found the text '${N}'" in found


def test_every_secret_that_the_file_uses_is_known_by_name(file: Path) -> None:
    project = read(
        file,
        "generator: {model: m, api_key: 'literal-key-1', query: {sig: '${SIG}', v: '${VERSION}'}}\n"
        "judge: {model: m, api_key: '${KEY}', base_url: 'https://me:password-1@h/v1'}\n"
        "system:\n  type: http\n  url: https://h/ask?token=token-in-url&page=1234567890\n"
        "  headers: {Authorization: Bearer literal-bearer, X: '${HEADER}', Accept: text/plain}\n"
        "  body: {q: '{{ question }}', lang: '${LANGUAGE}', apiKey: '${BODY_KEY}',"
        " author: Shakespeare, auth: {type: password_grant, by: ['Bearer ${BODY_TOKEN}']},"
        " password: literal-password, passages: '{{ context }}', token: '{{question}}',"
        " keywords: '${KEYWORDS}'}\n",
        {
            "LANGUAGE": "in-english",
            "BODY_KEY": "body-key-from-env",
            "BODY_TOKEN": "body-token-from-env",
            "KEYWORDS": "renewable-energy",
            "KEY": "key-from-env",
            "SIG": "sig-from-env",
            "VERSION": "2024-10-21",
            "HEADER": "header-from-env",
            "OTHER": "unused-variable",
        },
    )

    assert project.secrets == {
        "KEY": "key-from-env",
        "SIG": "sig-from-env",
        "HEADER": "header-from-env",
        "generator.api_key": "literal-key-1",
        "judge.base_url userinfo": "password-1",
        "system.url token": "token-in-url",
        "system.headers.Authorization": "literal-bearer",
        "BODY_KEY": "body-key-from-env",
        "BODY_TOKEN": "body-token-from-env",
        "system.body.password": "literal-password",
    }
    assert "key-from-env" not in repr(project)


@pytest.mark.parametrize(
    ("url", "secrets"),
    [
        ("${U}", {"system.url userinfo": "password-1", "system.url api_key": "key-in-url"}),
        (
            "${U}&sig=${SIG}&page=1",
            {
                "system.url userinfo": "password-1",
                "system.url api_key": "key-in-url",
                "system.url sig": "sig-from-env",
            },
        ),
        ("https://h/ask?${Q}", {"system.url token": "token-in-query"}),
        ("https://me:pass$$word-1@h/ask", {"system.url userinfo": "pass$word-1"}),
    ],
)
def test_secrets_of_a_url_are_known_wherever_its_parts_come_from(
    file: Path, url: str, secrets: dict[str, str]
) -> None:
    project = read(
        file,
        f"judge: {{model: m}}\nsystem: {{type: http, url: '{url}'}}",
        {
            "U": "https://me:password-1@h/ask?api_key=key-in-url",
            "Q": "token=token-in-query&page=1234567890",
            "SIG": "sig-from-env",
        },
    )

    assert project.secrets == secrets


def test_a_secret_with_a_doubled_dollar_is_known_as_it_is_sent(file: Path) -> None:
    project = read(file, "judge: {model: m, api_key: 'literal-$$-key'}")

    assert project.secrets == {"judge.api_key": "literal-$-key"}


def test_defaults_and_stand_ins_are_no_secrets(file: Path) -> None:
    project = read(file, "judge: {model: m, api_key: '${KEY:-no-key-needed}'}")
    stand_in = read(file, "judge: {model: m, api_key: '${KEY}'}", {"KEY": "none"})

    assert project.secrets == {}
    assert stand_in.secrets == {}


def test_no_error_shows_a_key(file: Path) -> None:
    found = problem(file, "judge: {model: m, api_key: 123456789}")

    assert "found the number that stands here" in found
    assert "123456789" not in found


def test_the_shipped_example_is_a_usable_project() -> None:
    example = Path(__file__).parents[3] / "examples" / "content_bias.yaml"

    assert read_project_file(example, {}, recording=False).config.system is not None
