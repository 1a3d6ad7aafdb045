import { defineHookBlock } from "./hook-block.ts";

export const zapier = defineHookBlock({
  type: "Zapier",
  url: "https://hooks.zapier.com/hooks/catch/1/abc",
  editor: { name: "Zapier", icon: "zap", words: ["zap", "automation", "webhook", "connect"] },
});
