"""Open tables: state machine, storage, presence of guests, server-sent events."""
