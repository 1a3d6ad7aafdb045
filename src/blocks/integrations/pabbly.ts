import { defineHookBlock } from "./hook-block.ts";

export const pabbly = defineHookBlock({
  type: "Pabbly",
  url: "https://connect.pabbly.com/workflow/sendwebhookdata/abc",
});
