"""Every error ChartCite reports to a person.

The message is one clear line: it names the file, the resource or the setting concerned and says what to do
next. It never holds record content or a secret, so it may be logged and shown.
"""


class ChartCiteError(Exception):
    """Base of all expected failures; `str(error)` is shown as it is, without a traceback."""


class ConfigurationError(ChartCiteError):
    """A setting is missing or cannot be used as given."""


class DatabaseUnavailable(ChartCiteError):
    """PostgreSQL cannot be started, reached or written to."""


class UnknownPatient(ChartCiteError):
    """No such patient, or no such resource of the patient, in the database."""


class InvalidQuestion(ChartCiteError):
    """The question is empty, too long or not text."""


class ModelUnavailable(ChartCiteError):
    """The embedding model or the language model cannot be loaded, reached or trusted."""


class IngestError(ChartCiteError):
    """A path cannot be ingested at all; a bad file or entry inside it is reported, not raised."""


class EvaluationError(ChartCiteError):
    """The evaluation questions or results cannot be read."""
