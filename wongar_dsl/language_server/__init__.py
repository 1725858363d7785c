"""What an editor asks about a rule file, as functions from a snapshot of it to an answer; knows no protocol."""
