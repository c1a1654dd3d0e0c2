"""Charts as SVG: one implementation for the page and for the files of a paper."""
