"""Python refactorings for Sightline: rope proposes, names are checked, nothing is written. One JSON object per line in
and out.
"""
