"""Simulation of many games: simulator, runners, checkpoints."""
