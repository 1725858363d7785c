"""Authentication, limits for clients, forms, and security headers."""
