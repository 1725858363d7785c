"""Natural-language generation: words, prose of rulebooks, narration of games."""
