"""One bad and one good rule file for each diagnostic, tested here and shown by `wongar explain`."""
