import { useState } from "preact/hooks";
import { ApiFailure, call, useQuery } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { Banner, Switch } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { settingsWords } from "../../words/settings.ts";

/** Whether visitors meet the bot. No part of the draft: it takes effect at once. */
export function Availability({ bot }: { readonly bot: OpenBot }) {
  const words = useWords(settingsWords);
  const [failure, setFailure] = useState<string>();
  const path = { botId: bot.id };
  const { value } = useQuery(`bots/${bot.id}/publications`, () =>
    call("GET /api/v1/bots/:botId/publications", { path, query: { limit: 50 } }),
  );
  const current = value?.publications.find(({ isCurrent }) => isCurrent);
  const close = async (isClosed: boolean) => {
    setFailure(undefined);
    try {
      await call("PATCH /api/v1/bots/:botId", { path, body: { bot: { isClosed } } });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error.message);
    }
    await bot.refresh();
  };
  return (
    <div class="availability">
      <Switch
        label={words.closed}
        help={words.closedHelp}
        isChecked={bot.bot.value.isClosed}
        isDisabled={bot.mode !== "write"}
        onChange={(isClosed) => void close(isClosed)}
      />
      {failure !== undefined && <Banner text={failure} tone="danger" isAlert />}
      {value && <p class="look-hint">{current ? words.live(current.number) : words.notPublished}</p>}
    </div>
  );
}
