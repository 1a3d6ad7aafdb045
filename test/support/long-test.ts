import { test } from "bun:test";
import { isLong } from "./campaigns.ts";

/**
 * Like `test`, but only in `npm run test:long`; `npm test` counts it as skipped. It is for a test that takes seconds of
 * processor time and whose faults cheaper tests nearly always find: `docs/contributing.md` names these, file by file.
 */
export const longTest = test.skipIf(!isLong);
