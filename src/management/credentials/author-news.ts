/** Sentences that the logs of this process have of each bot's version. */
const told = new Set<string>();

/** A version that is told of again after so many others is no harm. */
const mostTold = 10_000;

/** Whether a sentence about a bot's version is logged: once for all of its chats on this process. */
export function isNews({ botId, flowHash }: { botId: string; flowHash: string }, sentence: string): boolean {
  const key = `${botId} ${flowHash} ${sentence}`;
  if (told.has(key)) return false;
  if (told.size >= mostTold) told.clear();
  told.add(key);
  return true;
}
