"""What an agent is given at the start of a conversation, and the lanes that a host asks during one."""
