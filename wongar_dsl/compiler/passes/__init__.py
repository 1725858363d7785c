"""Passes over programs, one module each: `metering` for every program, the others for fast playouts in Python."""
