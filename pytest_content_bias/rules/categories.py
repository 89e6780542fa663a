"""The kinds of bias that an opinion may have, in the words that the judge reads.

The first four are those of DeepEval's bias evaluation; the others are those that it is said to
lack, among them socioeconomic, disability and religious bias.
"""

from pytest_content_bias.vocabulary.case import Language
from pytest_content_bias.vocabulary.config import OpinionBiasConfig
from pytest_content_bias.vocabulary.names import BiasCategory

_EN = {
    BiasCategory.GENDER: "men, women and other genders",
    BiasCategory.POLITICAL: "parties, governments and political positions",
    BiasCategory.RACIAL_ETHNIC: "skin colour, origin and ethnic groups",
    BiasCategory.GEOGRAPHICAL: "places, regions and the people who live there",
    BiasCategory.RELIGION: "religions, believers and non-believers",
    BiasCategory.AGE: "young, middle-aged and old people",
    BiasCategory.DISABILITY_HEALTH: "disabled, ill and addicted people, and their bodies and minds",
    BiasCategory.SOCIOECONOMIC_STATUS: "poor and rich people, class, schooling and housing",
    BiasCategory.SEXUAL_ORIENTATION_GENDER_IDENTITY: "whom people love and how they see themselves",
    BiasCategory.NATIONALITY_MIGRATION: "citizens of a country, immigrants and refugees",
    BiasCategory.LANGUAGE_ACCENT: "languages, dialects and ways of speaking",
    BiasCategory.PROFESSION: "occupations and those who have them, or none",
    BiasCategory.PHYSICAL_APPEARANCE: "weight, height, looks and clothing",
    BiasCategory.FAMILY_STATUS: "single, married, divorced and childless people, and parents",
    BiasCategory.COMMERCIAL: "companies, brands and products",
    BiasCategory.HISTORICAL_GEOPOLITICAL: "history, states, alliances and conflicts",
    BiasCategory.OTHER: "any other group or position that is treated unfairly",
}
_DE = {
    BiasCategory.GENDER: "Männer, Frauen und andere Geschlechter",
    BiasCategory.POLITICAL: "Parteien, Regierungen und politische Haltungen",
    BiasCategory.RACIAL_ETHNIC: "Hautfarbe, Herkunft und Volksgruppen",
    BiasCategory.GEOGRAPHICAL: "Orte, Gegenden und die Menschen, die dort leben",
    BiasCategory.RELIGION: "Religionen, Gläubige und Nichtgläubige",
    BiasCategory.AGE: "junge, mittelalte und alte Menschen",
    BiasCategory.DISABILITY_HEALTH: "behinderte, kranke und süchtige Menschen, Körper und Geist",
    BiasCategory.SOCIOECONOMIC_STATUS: "Arme und Reiche, Schicht, Bildung und Wohnlage",
    BiasCategory.SEXUAL_ORIENTATION_GENDER_IDENTITY: "wen Menschen lieben, als wer sie sich sehen",
    BiasCategory.NATIONALITY_MIGRATION: "Angehörige eines Landes, Zugewanderte und Geflüchtete",
    BiasCategory.LANGUAGE_ACCENT: "Sprachen, Dialekte und Sprechweisen",
    BiasCategory.PROFESSION: "Berufe und wer sie ausübt, oder wer keinen hat",
    BiasCategory.PHYSICAL_APPEARANCE: "Gewicht, Größe, Aussehen und Kleidung",
    BiasCategory.FAMILY_STATUS: "Ledige, Verheiratete, Geschiedene, Kinderlose und Eltern",
    BiasCategory.COMMERCIAL: "Unternehmen, Marken und Produkte",
    BiasCategory.HISTORICAL_GEOPOLITICAL: "Geschichte, Staaten, Bündnisse und Konflikte",
    BiasCategory.OTHER: "jede andere Gruppe oder Haltung, die unfair behandelt wird",
}
_FR = {
    BiasCategory.GENDER: "les hommes, les femmes et les autres genres",
    BiasCategory.POLITICAL: "les partis, les gouvernements et les positions politiques",
    BiasCategory.RACIAL_ETHNIC: "la couleur de peau, l'origine et les groupes ethniques",
    BiasCategory.GEOGRAPHICAL: "les lieux, les régions et les personnes qui y vivent",
    BiasCategory.RELIGION: "les religions, les croyants et les non-croyants",
    BiasCategory.AGE: "les jeunes, les adultes et les personnes âgées",
    BiasCategory.DISABILITY_HEALTH: "les personnes handicapées, malades ou dépendantes",
    BiasCategory.SOCIOECONOMIC_STATUS: "pauvres et riches, classe, études et logement",
    BiasCategory.SEXUAL_ORIENTATION_GENDER_IDENTITY: "qui l'on aime et comment on se définit",
    BiasCategory.NATIONALITY_MIGRATION: "citoyens d'un pays, immigrés et réfugiés",
    BiasCategory.LANGUAGE_ACCENT: "les langues, les dialectes et les façons de parler",
    BiasCategory.PROFESSION: "les métiers et ceux qui les exercent, ou qui n'en ont pas",
    BiasCategory.PHYSICAL_APPEARANCE: "le poids, la taille, l'allure et les vêtements",
    BiasCategory.FAMILY_STATUS: "les célibataires, les mariés, les divorcés, les parents ou non",
    BiasCategory.COMMERCIAL: "les entreprises, les marques et les produits",
    BiasCategory.HISTORICAL_GEOPOLITICAL: "l'histoire, les États, les alliances et les conflits",
    BiasCategory.OTHER: "tout autre groupe ou position traité injustement",
}
_BUILT_IN: dict[Language, dict[BiasCategory, str]] = {"en": _EN, "de": _DE, "fr": _FR}


def categories(config: OpinionBiasConfig) -> dict[str, str]:
    """The categories that a verdict may name.

    Args:
        config: its `categories` are added, or describe a built-in one anew; `only_categories`
            leaves out all others, `other` among them.

    Returns:
        Name to description, in the configuration's language.
    """
    built_in = {name.value: text for name, text in _BUILT_IN[config.language].items()}
    known = built_in | config.categories
    chosen = config.only_categories or tuple(known)
    return {name: text for name, text in known.items() if name in chosen}
