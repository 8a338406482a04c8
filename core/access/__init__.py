"""Who may see what, and the trail of what was seen."""
