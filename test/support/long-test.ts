import { test } from "bun:test";
import { isLong } from "./campaigns.ts";

/**
 * Like `test`, but only in `npm run test:long`; `npm test` counts the test as skipped. For tests that take seconds of
 * processor time and whose faults cheaper tests usually detect. `docs/contributing.md` lists these tests by file.
 */
export const longTest = test.skipIf(!isLong);
