/** The sentences that this process has logged, with the bot and version. */
const logged = new Set<string>();

/** The maximum number of sentences. Above this number, a sentence may be logged again, which does no harm. */
const maxLogged = 10_000;

/** Whether a sentence about a bot's version is new on this process and should be logged. Records the sentence. */
export function isNews({ botId, flowHash }: { botId: string; flowHash: string }, sentence: string): boolean {
  const key = `${botId} ${flowHash} ${sentence}`;
  if (logged.has(key)) return false;
  if (logged.size >= maxLogged) logged.clear();
  logged.add(key);
  return true;
}
