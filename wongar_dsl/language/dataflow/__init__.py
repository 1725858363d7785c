"""Static analyses of checked rules.  They report no diagnostics."""
