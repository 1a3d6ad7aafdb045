import { defineHookBlock } from "./hook-block.ts";

/** A request that starts a workflow at Pabbly. */
export const pabbly = defineHookBlock({
  type: "Pabbly",
  url: "https://connect.pabbly.com/workflow/sendwebhookdata/abc",
});
