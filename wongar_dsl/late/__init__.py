"""What is loaded late: the names of packages, and parts of values from the cache."""
