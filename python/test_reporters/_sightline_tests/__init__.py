"""Runs inside the test runners of projects. Events: `TestEvent` in src/engine/workspace/tests/model.ts."""
