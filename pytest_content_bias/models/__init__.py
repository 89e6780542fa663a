"""Chat models over HTTP: wire formats, retries, replies in an agreed form."""
