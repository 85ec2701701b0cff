"""Tell an agent of this vault in its own configuration, and take that back (`clawvault connect`)."""
