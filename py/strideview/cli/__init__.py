"""The command line: strideview, or python -m strideview. Nothing of the package imports it but __main__.py."""
