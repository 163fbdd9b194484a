import { test } from "vitest";
