"""Language features for editors, as functions from a snapshot of a rule file to an answer.

They are independent of the protocol.
"""
