"""Language features for editors: functions from a snapshot of a rule file to an answer, independent of the protocol."""
