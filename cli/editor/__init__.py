"""The language server: requests from editors and their answers over the Language Server Protocol."""
