"""What a run found, written down for people and machines."""
