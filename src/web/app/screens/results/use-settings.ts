import { useState } from "preact/hooks";
import { ApiFailure, call } from "../../api/index.ts";
import { readSettings, storedSettings, type TableSettings } from "./table-settings.ts";

type UseSettings = {
  readonly botId: string;
  /** As the service has them; undefined until it has said so. */
  readonly kept: unknown;
  /** Somebody without the right to write the bot has them for this visit. */
  readonly mayWrite: boolean;
};

/**
 * The settings of the table, and the way to change them: at once here, and stored with the bot if this person may write
 * it.
 */
export function useTableSettings({ botId, kept, mayWrite }: UseSettings) {
  const [own, setOwn] = useState<TableSettings>();
  const settings = own ?? readSettings(kept);
  const change = async (changes: Partial<TableSettings>) => {
    const next = { ...settings, ...changes };
    setOwn(next);
    if (!mayWrite) return;
    try {
      await call("PATCH /api/v1/bots/:botId", {
        path: { botId },
        body: { bot: { resultsTablePreferences: storedSettings(next) } },
      });
    } catch (error) {
      // The table is as it was asked for; only the next visit does not know.
      if (!(error instanceof ApiFailure)) throw error;
    }
  };
  return { settings, change };
}
