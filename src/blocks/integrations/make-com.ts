import { defineHookBlock } from "./hook-block.ts";

/** A request that starts a scenario at Make.com. */
export const makeCom = defineHookBlock({ type: "Make.com", url: "https://hook.eu1.make.com/abc" });
