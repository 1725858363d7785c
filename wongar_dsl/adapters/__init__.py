"""Games as other toolkits see them: numbered actions, observations as flat vectors, many states side by side.

Each of the modules `batches`, `pettingzoo` and `openspiel` needs an extra (`numpy`, `pettingzoo`, `openspiel`) and is
imported by itself; `docs/python.md` describes them.
"""
