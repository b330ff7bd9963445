"""Templates into plain modules: constants, parameters, arrays, quantifiers and sets are worked out."""
