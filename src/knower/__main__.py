"""`python -m knower`."""

from knower.cli.entry import main

main()
