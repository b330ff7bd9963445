"""`python -m knower`."""

from knower.cli.main import main

main()
