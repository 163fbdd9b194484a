"""Runs inside gdb, beside its own debug adapter: what that answers is made whole here, in the same protocol.

gdb's adapter counts no hits, names no signal, mixes the program's two outputs, and forgets every frame when a function
is called. The requests with those gaps are answered by this package instead; the rest, and the wire, stay gdb's.
"""
