"""Boards as a viewer sees them: views, areas, paths, puzzles."""
