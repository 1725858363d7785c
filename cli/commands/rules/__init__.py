"""Commands about rule files: validate, explain, compare, change, package."""
