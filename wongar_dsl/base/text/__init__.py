"""Text for terminals and pages: width, escaping, transliteration, markup."""
