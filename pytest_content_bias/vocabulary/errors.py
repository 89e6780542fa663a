"""The errors that a user can meet.

* ContentBiasError
    * SettingsError         an option, ini value or environment that cannot be used
    * UserFileError         a case file, project file or prompt that cannot be used (file, line)
    * CallError             a model or the system could not be reached, or replied unusably
        * ReplyTruncated    the reply stopped at the token limit
        * CallsStopped      the run ends: no new call is started
    * UnreadableReply       a judge or generator never replied in the agreed form
    * CassetteError         a recording cannot be used
        * MissingRecording  no recording answers this call
        * SecretFound       the text to be written holds a secret
    * StaleSystem           the system changed since its answers were recorded
* ReplyFault                what is wrong with one reply; told to the model when it is asked again

Every message says what, what was observed, what was expected, and the next command. All of them
end a case as ERROR; a low score is not an error.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_content_bias.vocabulary.calls import CallRecord


class ContentBiasError(Exception):
    """Base of every error of this package."""


class SettingsError(ContentBiasError):
    """An option, an ini value or the environment cannot be used."""


class UserFileError(ContentBiasError):
    """A file written by the user cannot be used.

    Args:
        path: the file as the user knows it.
        line: 1-based line, or None when the file as a whole is meant.
        column: 1-based column, or None.
        problem: one sentence: what was found and what was expected.
    """

    def __init__(
        self, path: Path | str, line: int | None, column: int | None, problem: str
    ) -> None:
        self.path, self.line, self.column, self.problem = Path(path), line, column, problem
        place = ":".join(str(part) for part in (path, line, column) if part is not None)
        super().__init__(f"{place}: {problem}")


class CallError(ContentBiasError):
    """A model or the system could not be reached or refused the call."""


class ReplyTruncated(CallError):
    """A reply stopped at its token limit, so that it cannot be judged.

    Args:
        message: which limit was reached, and where it is set.
        text: the reply as far as it came, word for word.
        record: what the results keep of the call, which was paid for all the same.
    """

    def __init__(self, message: str, text: str = "", record: "CallRecord | None" = None) -> None:
        self.text, self.record = text, record
        super().__init__(message)


class CallsStopped(CallError):
    """The run is ending or a bound was reached: this call was not started."""


class ReplyFault(ValueError):
    """One fault of a reply, in a sentence that is told to the model when it is asked again.

    Args:
        told: the sentence.
        shown: what the user is told, where that is another sentence.
    """

    def __init__(self, told: str, shown: str | None = None) -> None:
        self.shown = shown or told
        super().__init__(told)


class UnreadableReply(ContentBiasError):
    """A model never replied in the agreed form.

    Args:
        message: what was asked and every fault that was named to the model.
        raw: the last reply, word for word, or the start of one without end.
        records: the calls that were made.
    """

    def __init__(self, message: str, raw: str, records: "tuple[CallRecord, ...]" = ()) -> None:
        self.raw, self.records = raw, records
        super().__init__(message)


class CassetteError(ContentBiasError):
    """A recording cannot be read, trusted or written."""


class MissingRecording(CassetteError):
    """No recording answers this call, and the network may not be used.

    Args:
        message: what is missing, and how to record it.
        sought: slot and key of the call where the case has no cassette at all.
    """

    def __init__(self, message: str, sought: tuple[str, str] | None = None) -> None:
        self.sought = sought
        super().__init__(message)


class SecretFound(CassetteError):
    """Text that was about to be written holds a secret; nothing was written."""


class StaleSystem(ContentBiasError):
    """The system under test changed since its answers were recorded."""
