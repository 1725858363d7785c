"""The full-screen interface: panes for the board, the players, the log and the options."""
