"""How fast it is: run `make bench`."""
