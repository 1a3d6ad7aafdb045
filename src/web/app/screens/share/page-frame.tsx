import { useEffect, useMemo } from "preact/hooks";
import { type Dressing, PreviewFrame } from "../../preview/frame.tsx";
import { createRun } from "../../preview/run.ts";
import { previewServiceFor } from "../../preview/service.ts";
import { sampleAnswer, sampleChat } from "../../sample-page/samples.ts";
import { Skeleton } from "../../ui/index.ts";
import samplePageWords from "../../words/en/sample-page.json";
import { useWords } from "../../words/index.ts";
import type { LookedAt, Talk } from "./talk.ts";

export type PageFrameProps = {
  readonly bot: LookedAt;
  readonly talk: Talk;
  readonly variables: Readonly<Record<string, string>>;
  readonly chatAddress: string;
};

export function PageFrame({ talk, ...props }: PageFrameProps) {
  return talk === "own" ? <OwnPage {...props} /> : <SamplePage {...props} />;
}

type OneProps = Omit<PageFrameProps, "talk">;

function SamplePage({ bot, chatAddress }: OneProps) {
  const { says, frame } = useWords(samplePageWords);
  const shown = useMemo(() => ({ number: 0, ...sampleChat("choice", says, bot) }), [says, bot]);
  const dressing = useMemo((): Dressing => ({ bot, scheme: undefined }), [bot]);
  return (
    <PreviewFrame
      {...{ shown, dressing, chatAddress }}
      title={frame}
      hear={async (_, asked) =>
        asked.kind === "say" ? { kind: "answer", id: asked.id, value: sampleAnswer("choice", says) } : undefined
      }
    />
  );
}

function OwnPage({ bot, variables, chatAddress }: OneProps) {
  const { frame } = useWords(samplePageWords);
  const run = useMemo(() => createRun(previewServiceFor(bot.id)), [bot.id]);
  const values = JSON.stringify(variables);
  useEffect(() => void run.start({ startFrom: undefined, variables }), [run, values]);
  const shown = run.shown.value;
  const failure = run.failures.value.at(-1);
  if (shown) return <PreviewFrame shown={shown} hear={run.hear} chatAddress={chatAddress} title={frame} />;
  return failure ? <p class="share-note">{failure.message}</p> : <Skeleton rows={6} />;
}
