"""The words of the project: records, configuration, errors and protocols. No I/O, no rules."""
