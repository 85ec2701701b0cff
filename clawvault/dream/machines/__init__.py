"""Which machine and which process promotes, and the files that dreaming keeps."""
