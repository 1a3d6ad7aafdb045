import type { Act } from "./act.ts";
import { backActs } from "./back.ts";
import { crashActs } from "./crash.ts";
import { outsideActs } from "./outside.ts";
import { pageActs } from "./pages.ts";
import { paymentActs } from "./payments.ts";
import { resultActs } from "./results.ts";
import { talkActs } from "./talk.ts";
import { versionActs } from "./versions.ts";

export const acts: readonly Act[] = [
  ...talkActs,
  ...pageActs,
  ...backActs,
  ...paymentActs,
  ...outsideActs,
  ...versionActs,
  ...crashActs,
  ...resultActs,
];

export { beginnings } from "./begin.ts";
