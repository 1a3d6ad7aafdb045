import { test } from "bun:test";
import { isLong } from "./campaigns.ts";

/**
 * Like `test`, but only in `npm run test:long`. `npm test` counts the test as skipped. Use it for tests that take
 * seconds of processor time, if cheaper tests usually find the same faults. `docs/contributing.md` lists these tests by
 * file.
 */
export const longTest = test.skipIf(!isLong);
