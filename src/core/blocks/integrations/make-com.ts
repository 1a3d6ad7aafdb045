import { defineHookBlock } from "./hook-block.ts";

export const makeCom = defineHookBlock({
  type: "Make.com",
  url: "https://hook.eu1.make.com/abc",
  editor: { name: "Make.com", icon: "cog", words: ["integromat", "automation", "webhook", "scenario"] },
});
