"""The state of translations: messages of a game, missing words, coverage of a language."""
