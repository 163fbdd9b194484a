"""The part of Sightline that lives inside a Python program while it is debugged.

It works on top of pydevd (the engine of debugpy): it renders values within limits, reports a stop in one message,
counts breakpoints, and knows what a failed test is. It imports nothing of the user's project and writes to no file.
"""
