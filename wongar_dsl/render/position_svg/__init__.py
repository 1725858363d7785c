"""Positions as SVG: boards, cards and curves, drawn for one viewer from the declarations of the rules.

Colours are classes defined in the style sheet; there are no style attributes. Information hidden from the viewer is
never read.
"""
