"""`python -m pytest_content_bias`: whatever is not a test."""
