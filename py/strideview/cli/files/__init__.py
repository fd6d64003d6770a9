"""Arrays in files: what is in a file, and copies between files of which only blocks are in memory."""
