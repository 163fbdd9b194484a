"""What a project says: its texts, names, classes and imports."""
