"""Adapters for machine-learning toolkits: numbered actions, observation vectors and batches of games.

The modules `batches`, `pettingzoo` and `openspiel` need an extra each (`numpy`, `pettingzoo`, `openspiel`) and are
imported separately; `docs/python.md` describes them.
"""
