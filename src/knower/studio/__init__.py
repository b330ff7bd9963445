"""Knower Studio: the workbench in the browser, as a server for one person on this machine."""
