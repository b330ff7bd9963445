"""The experiments of the papers, to be repeated: `knower bench TABLE`.

A table (`table`) is read from JSON (`load`); each of its rows becomes a job for a process (`prepare`), is
measured (`measure`) and kept (`results`) by the runner (`run`). What came of it is set beside the figures
of the paper (`compare`), drawn (`plot`) and told (`show`, `report`).
"""
