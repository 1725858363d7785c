"""The tutorial, and the interface of session observers."""
