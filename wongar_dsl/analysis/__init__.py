"""Facts about checked rules, found once and reported by nobody."""
