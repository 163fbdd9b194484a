"""The part of Sightline that lives inside a Python program while a question about its run is answered.

Nothing pauses: calls, writes and values of chosen places are written down as they happen, within limits, to a file that
Sightline reads. It needs no package but the interpreter's own, and runs no code of the program that the program does
not run itself, except for expressions that were asked for.
"""
