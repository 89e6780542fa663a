"""The work on one case, and the engine that runs many cases at once."""
