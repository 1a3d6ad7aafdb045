import { defineHookBlock } from "./hook-block.ts";

export const pabbly = defineHookBlock({
  type: "Pabbly",
  editor: { name: "Pabbly", icon: "repeat", words: ["automation", "webhook", "connect"] },
  url: "https://connect.pabbly.com/workflow/sendwebhookdata/abc",
});
