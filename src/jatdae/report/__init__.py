"""Reports of finished runs: tables, charts and pages. Independent of how a run was scored."""
