"""Recorded calls: their file format, replay, recording, secrets."""
