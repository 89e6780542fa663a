"""Arithmetic and decisions: pure functions, no input or output."""
