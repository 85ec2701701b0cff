"""Which passages are shown: no copies, unlike each other, neighbours as one."""
