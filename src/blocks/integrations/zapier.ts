import { defineHookBlock } from "./hook-block.ts";

/** A request that starts a Zap at Zapier. */
export const zapier = defineHookBlock({ type: "Zapier", url: "https://hooks.zapier.com/hooks/catch/1/abc" });
