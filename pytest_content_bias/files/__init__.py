"""What users write: case files, the project file, prompts; read with file, line and column."""
