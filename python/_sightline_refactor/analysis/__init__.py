"""What code does when it runs: which values flow where, and what evaluating has for effects."""
