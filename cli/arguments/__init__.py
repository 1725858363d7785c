"""Arguments that several commands share: games, saves, seats, rule cases."""
