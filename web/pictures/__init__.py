"""Positions as pictures in SVG: boards, cards and curves, drawn for one viewer from what the rules declare.

Colours are classes that the style sheet knows; no attribute holds a style.  Whatever a viewer may not see is not read.
"""
