"""Changes since a player's last decision, by their salience."""
