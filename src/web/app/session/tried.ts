import { keep, read } from "./local-storage.ts";

const keyOf = (botId: string): string => `parley.tried.${botId}`;

/** Stores in this browser that a bot's preview was answered at the size of a phone. */
export function noteTried(botId: string): void {
  if (!wasTried(botId)) keep(keyOf(botId), "phone");
}

export function wasTried(botId: string): boolean {
  return read(keyOf(botId)) !== null;
}
