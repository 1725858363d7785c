"""A table in the browser: the server, and the pages that it makes."""
