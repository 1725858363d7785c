"""Commands that play many games: simulations, tournaments, analysis."""
