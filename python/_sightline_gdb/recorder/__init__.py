"""Records a program of C, C++ or Rust from inside gdb: its calls, what they gave, and writes to watched places.

Each function of the focus has a breakpoint behind its prologue. The program stands still only while one is looked at,
and functions that were seen often enough lose theirs. Nothing of the program is called.
"""
