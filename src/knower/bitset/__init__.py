"""The engine for small models: states are numbered, sets of states are the bits of whole numbers."""
