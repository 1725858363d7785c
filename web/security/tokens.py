"""Creation and hashing of secret tokens."""

from __future__ import annotations

import hashlib
import secrets


def new_key() -> str:
    """Return a new random token that is safe in URLs."""
    return secrets.token_urlsafe(16)


def digest(key: str) -> str:
    """Return the hash of a token to store, from which the token cannot be recovered."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
