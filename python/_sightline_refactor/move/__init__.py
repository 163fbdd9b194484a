"""Moving files and symbols, with the imports that follow."""
