"""Routes: requests and their answers."""
