"""The table on a full screen: panes for the board, the players, the story and the options."""
