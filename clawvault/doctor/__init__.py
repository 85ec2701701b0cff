"""Look a vault over: each check says ok, warn or fail, and what to do."""
