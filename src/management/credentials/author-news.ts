/** Sentences that this process has logged about each version of a bot. */
const logged = new Set<string>();

/** Beyond this number a version's notice may be repeated, which does no harm. */
const maxLogged = 10_000;

/** Whether a sentence about a bot's version should be logged: once for all chats of the version on this process. */
export function isNews({ botId, flowHash }: { botId: string; flowHash: string }, sentence: string): boolean {
  const key = `${botId} ${flowHash} ${sentence}`;
  if (logged.has(key)) return false;
  if (logged.size >= maxLogged) logged.clear();
  logged.add(key);
  return true;
}
