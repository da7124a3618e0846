"""Tests of the package. `npm test` runs them against a real server; those that need one are skipped without it."""
