"""From a variant and its base to whole rules."""
