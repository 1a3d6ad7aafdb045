/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks";
import { type Answer, ApiFailure, call } from "../../api/index.ts";
import type { Finding, OpenBot } from "../../editor/index.ts";
import { Banner, Button, Dialog, Skeleton, TextField, toast } from "../../ui/index.ts";
import { publishWords } from "../../words/flow-publish.ts";
import { useWords } from "../../words/index.ts";
import { FindingList } from "./findings-panel.tsx";

type Comparison = Answer<"GET /api/v1/bots/:botId/compare">;
type Shown = {
  readonly revision: number;
  readonly findings: readonly Finding[];
  readonly comparison: Comparison | undefined;
};

/** Saves, shows what visitors would meet, and publishes exactly that. */
export function PublishDialog({ bot, onClose }: { readonly bot: OpenBot; readonly onClose: () => void }) {
  const { publish: words } = useWords(publishWords);
  const [shown, setShown] = useState<Shown>();
  const [note, setNote] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isLeft = false;
    look(bot).then(
      (next) => !isLeft && setShown(next),
      (error: unknown) => !isLeft && setFailure(sentenceOf(error)),
    );
    return () => {
      isLeft = true;
    };
  }, [turn]);
  const isBroken = shown?.findings.some(({ severity }) => severity === "error") ?? false;
  const publish = async (): Promise<void> => {
    if (!shown || isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { revision: shown.revision, ...(note !== "" && { note }), ...(isBroken && { force: true }) };
      const { number } = await call("POST /api/v1/bots/:botId/publish", { path: { botId: bot.id }, body });
      await bot.refresh();
      onClose();
      toast(words.done(number));
    } catch (error) {
      const hasMoved = error instanceof ApiFailure && error.code === "bot.conflict";
      setFailure(hasMoved ? words.moved : sentenceOf(error));
      if (hasMoved) {
        await bot.editor.copy.catchUp();
        setTurn(turn + 1);
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={words.title}
      size="m"
      onClose={onClose}
      onSubmit={() => void publish()}
      actions={
        <Button kind={isBroken ? "danger" : "primary"} type="submit" icon="send" busy={isBusy} isDisabled={!shown}>
          {isBroken ? words.force : words.publish}
        </Button>
      }
    >
      <div class="publish">
        {failure !== undefined && (
          <Banner tone="danger" isAlert>
            {failure}
          </Banner>
        )}
        {!shown && failure === undefined && <Skeleton rows={4} />}
        {shown && (
          <>
            {isBroken && <Banner tone="warning">{words.blocked}</Banner>}
            <TextField label={words.note} value={note} onInput={setNote} maxLength={500} />
            <Summary comparison={shown.comparison} />
            {shown.findings.length > 0 && <FindingList findings={shown.findings} />}
          </>
        )}
      </div>
    </Dialog>
  );
}

async function look(bot: OpenBot): Promise<Shown> {
  await bot.editor.copy.flush();
  const path = { botId: bot.id };
  // Of a bot that was never published everything is new.
  const isNew = bot.bot.peek().publicId === null;
  const [{ findings }, comparison] = await Promise.all([
    call("POST /api/v1/bots/:botId/lint", { path, body: {} }),
    isNew
      ? undefined
      : call("GET /api/v1/bots/:botId/compare", { path }).catch((error: unknown) => {
          // It was taken back meanwhile.
          if (error instanceof ApiFailure && error.code === "bot.not_published") return undefined;
          throw error;
        }),
  ]);
  return { revision: bot.editor.copy.revision(), findings, comparison };
}

/** What becomes of groups, blocks and the rest, each in a line. */
function Summary({ comparison }: { readonly comparison: Comparison | undefined }) {
  const { publish: words } = useWords(publishWords);
  if (!comparison) return <p>{words.first}</p>;
  const lines = linesOf(comparison);
  if (lines.length === 0) return <p>{words.nothing}</p>;
  return (
    <section>
      <h3 class="panel-section">{words.changes}</h3>
      <ul class="publish-lines">
        {lines.slice(0, 60).map(({ sign, what, how }) => (
          <li key={`${what} ${how}`}>
            <span class={`publish-sign is-${how}`} aria-hidden="true">
              {sign}
            </span>
            {what} <small>{words[how]}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

const signs = { added: "+", removed: "−", changed: "~", reordered: "↕" } as const;
type How = keyof typeof signs;
const hows: readonly How[] = ["added", "removed", "changed", "reordered"];

function linesOf({ differences }: Comparison): { readonly sign: string; readonly what: string; readonly how: How }[] {
  return differences.flatMap(({ is, of, name, id, changesMeaning }) => {
    const how = hows.find((one) => one === is);
    if (!how || !changesMeaning || of === "edge") return [];
    return [{ sign: signs[how], what: `${of} ${name ?? id ?? ""}`.trim(), how }];
  });
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
