"""The pytest side: settings, collection, running, the gate, the terminal."""
