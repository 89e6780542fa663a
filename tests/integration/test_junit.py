"""JUnit files: what is in them, and that readers of such files can read them."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from tests.integration.conftest import Project

ATTRIBUTES = {
    "testsuites": {"name"},
    "testsuite": {
        "name", "errors", "failures", "skipped", "tests", "time", "timestamp", "hostname"
    },
    "testcase": {"classname", "name", "time", "file", "line"},
    "properties": set(),
    "property": {"name", "value"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message", "type"},
    "system-out": set(),
    "system-err": set(),
}  # fmt: skip
"""Element to its attributes, as the schemas of Jenkins and GitLab have them."""
CHILDREN = {
    "testsuites": ["testsuite"],
    "testsuite": ["properties", "testcase", "system-out", "system-err"],
    "testcase": ["properties", "skipped", "error", "failure", "system-out", "system-err"],
    "properties": ["property"],
}
"""Element to the elements that it may hold."""


def assert_readable(element: Element) -> None:
    """Hold an element and all within against the tables above."""
    assert set(element.attrib) <= ATTRIBUTES[element.tag], element.tag
    for child in element:
        assert child.tag in CHILDREN.get(element.tag, []), f"{child.tag} in {element.tag}"
        assert_readable(child)
    if element.tag == "testsuite":
        cases = element.findall("testcase")
        assert int(element.attrib["tests"]) == len(cases)
        assert int(element.attrib["failures"]) == len(element.findall("testcase/failure"))
        assert int(element.attrib["errors"]) == len(element.findall("testcase/error"))
    if element.tag == "testcase":
        assert float(element.attrib["time"]) >= 0
        assert element.attrib["name"]
        assert sum(child.tag in ("failure", "error", "skipped") for child in element) <= 1


def written(project: Project, *arguments: str) -> dict[str, Element]:
    """Run, and give the test cases by the case's name."""
    project.run("--junitxml=junit.xml", *arguments)
    root = ElementTree.parse(project.path / "junit.xml").getroot()
    assert_readable(root)
    return {case.attrib["classname"].rpartition(".")[2]: case for case in root.iter("testcase")}


def properties(case: Element) -> dict[str, str]:
    found = [(each.attrib["name"], each.attrib["value"]) for each in case.iter("property")]
    assert len(dict(found)) == len(found)
    return dict(found)


@pytest.fixture
def mixed(project: Project) -> Project:
    """One case passes, one fails, one has no recording."""
    project.cases("wind", "coal", "sun")
    project.levels(wind=1, coal=6, sun=1)
    project.record("-k", "wind or coal")
    return project


def test_scores_and_what_they_are_held_against_are_properties(mixed: Project) -> None:
    cases = written(mixed)
    assert properties(cases["wind"]) == {
        "metric": "content_bias",
        "threshold": "0.8",
        "score": "0.9",
        "bias_one_sided": "0.1",
        "bias_amplify_downplay": "0.1",
        "bias_justify_judge": "0.1",
    }
    assert properties(cases["sun"]) == {"metric": "content_bias", "threshold": "0.8"}


def test_a_low_score_is_a_failure_and_broken_machinery_an_error(mixed: Project) -> None:
    cases = written(mixed)
    kinds = {name: [child.tag for child in case if child.tag != "properties"]
             for name, case in cases.items()}  # fmt: skip
    assert kinds == {"wind": [], "coal": ["failure"], "sun": ["error"]}
    failure, error = cases["coal"].find("failure"), cases["sun"].find("error")
    assert failure is not None
    assert error is not None
    assert "score 0.40 is below the threshold 0.80" in failure.attrib["message"]
    assert "It weighs both sides." in (failure.text or "")
    assert "--content-bias-record=missing" in (error.text or "")
    assert "Traceback" not in f"{failure.text}{error.text}"


def test_the_baseline_is_a_property_where_there_is_one(project: Project) -> None:
    project.levels(wind=0, coal=0)
    project.record("--content-bias-update-baseline")
    project.cases("wind", "coal")
    project.levels(wind=1, coal=0)
    found = written(project, "--content-bias-record=judge", "--content-bias-max-drop=0.5")
    wind = properties(found["wind"])
    assert wind["baseline_state"] == "comparable"
    assert (wind["baseline"], wind["baseline_difference"]) == ("1.0", "-0.1")
    coal = properties(found["coal"])
    assert coal["baseline_state"] == "new"
    assert coal.keys().isdisjoint({"baseline", "baseline_difference"})


def test_a_file_that_could_not_be_read_is_an_error_too(mixed: Project) -> None:
    mixed.write("cases/broken.bias.yaml", "cases: [\n")
    cases = written(mixed, "--continue-on-collection-errors")
    assert len(cases) == 4


@pytest.mark.parametrize("family", ["xunit1", "xunit2", "legacy"])
def test_every_family_of_the_format_can_be_read(mixed: Project, family: str) -> None:
    assert len(written(mixed, "-o", f"junit_family={family}")) == 3
