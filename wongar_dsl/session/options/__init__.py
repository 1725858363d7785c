"""Options of a decision: menus, numbers, groups, targets."""
