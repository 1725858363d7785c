"""Simulation of many games: statistics, tournaments and analysis."""
