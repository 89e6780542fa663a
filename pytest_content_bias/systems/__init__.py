"""The systems under test, and what tells that one has changed."""
