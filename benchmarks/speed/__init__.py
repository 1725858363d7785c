"""Speed measurements: contestants, measurements, figures and tables."""
