"""Reports of a finished run: tables, charts, pages. Nothing here knows how the run was scored."""
