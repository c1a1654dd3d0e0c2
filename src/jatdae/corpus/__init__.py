"""Makes what a comparison of parsers needs: their output for many documents, and gold documents from LaTeX."""
