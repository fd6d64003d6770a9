"""python -m strideview: the command line."""

from strideview.cli.main import main

if __name__ == "__main__":
    main()
