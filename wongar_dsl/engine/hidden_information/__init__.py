"""Hidden information: who may know what, observations, determinization, lookahead."""
