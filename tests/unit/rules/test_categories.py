"""The categories that a verdict may name, as the configuration shapes them."""

from typing import get_args

import pytest
from pydantic import ValidationError

from pytest_content_bias.rules.categories import categories
from pytest_content_bias.vocabulary.case import Language
from pytest_content_bias.vocabulary.config import OpinionBiasConfig
from pytest_content_bias.vocabulary.names import BiasCategory


def config(**fields: object) -> OpinionBiasConfig:
    return OpinionBiasConfig.model_validate(fields)


@pytest.mark.parametrize("language", get_args(Language))
def test_every_category_is_described_in_every_language(language: Language) -> None:
    known = categories(config(language=language))
    assert list(known) == [str(name) for name in BiasCategory]
    assert len(set(known.values())) == len(known)


def test_the_four_of_deepeval_come_first() -> None:
    first = list(categories(config()))[:4]
    assert first == ["gender", "political", "racial_ethnic", "geographical"]


def test_languages_describe_the_categories_in_their_own_words() -> None:
    words = [categories(config(language=language))["gender"] for language in get_args(Language)]
    assert len(set(words)) == 3


def test_a_category_of_the_user_is_added_with_its_description() -> None:
    known = categories(config(categories={"diet": "vegans, vegetarians and meat eaters"}))
    assert known["diet"] == "vegans, vegetarians and meat eaters"
    assert len(known) == len(BiasCategory) + 1


def test_a_built_in_category_can_be_described_anew() -> None:
    known = categories(config(categories={"age": "pensioners"}))
    assert known["age"] == "pensioners"
    assert len(known) == len(BiasCategory)


def test_restricting_leaves_only_the_named_ones_also_without_other() -> None:
    known = categories(config(only_categories=("diet", "age"), categories={"diet": "vegans"}))
    assert list(known) == ["age", "diet"]


def test_restricting_to_a_category_that_does_not_exist_names_those_that_do() -> None:
    with pytest.raises(ValidationError, match=r"unknown category 'ages'; known: gender, .*diet"):
        config(only_categories=("ages",), categories={"diet": "vegans"})


@pytest.mark.parametrize(
    "fields",
    [
        {"only_categories": ()},
        {"categories": {"Diet": "vegans"}},
        {"categories": {"food & drink": "vegans"}},
        {"categories": {"": "vegans"}},
        {"categories": {"diet": "  "}},
    ],
)
def test_categories_without_a_usable_name_or_description_are_refused(
    fields: dict[str, object],
) -> None:
    with pytest.raises(ValidationError):
        config(**fields)
