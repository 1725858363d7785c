"""What is printed, and keys read against a clock."""
