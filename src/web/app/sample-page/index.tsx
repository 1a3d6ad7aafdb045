import { useComputed } from "@preact/signals";
import { Smartphone } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DrawnPairs } from "../../../core/theme/drawn-things.ts";
import type { FromFrame, PagePart, ToFrame } from "../../conversation/preview-protocol.ts";
import type { OpenBot } from "../editor/index.ts";
import { type Dressing, PreviewFrame } from "../preview/frame.tsx";
import { createRun } from "../preview/run.ts";
import { previewServiceFor } from "../preview/service.ts";
import { type Size, Stage } from "../preview/stage.tsx";
import { useChatAddress } from "../session/service-pages.ts";
import { addIcons, Icon, Segments, Select, Skeleton } from "../ui/index.ts";
import samplePageWords from "../words/en/sample-page.json";
import { useWords } from "../words/index.ts";
import { type SampleName, sampleAnswer, sampleChat, sampleNames } from "./samples.ts";
import "./sample-page.css";

addIcons({ smartphone: Smartphone });

export type Shown = SampleName | "own";

export type SamplePageProps = {
  readonly bot: OpenBot;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
  readonly scheme: "light" | "dark";
  readonly onScheme: (scheme: "light" | "dark") => void;
  /** Called when a part of the page is pressed. */
  readonly onPart?: (part: PagePart) => void;
};

/**
 * Shows the real chat page with the bot's theme and settings, in the state that the author selects. Each edit is
 * visible immediately.
 */
export function SamplePage({ bot, shown, onShow, scheme, onScheme, onPart }: SamplePageProps) {
  const words = useWords(samplePageWords);
  const [size, setSize] = useState<Size>("phone");
  const chatAddress = useChatAddress();
  const look = useLook(bot);
  const dressing = useMemo((): Dressing => ({ bot: look, scheme }), [look, scheme]);
  const onDrawn = ({ scheme: of = "light" }: Dressing, pairs: DrawnPairs) =>
    bot.findings.noteDrawn({ theme: look.theme, scheme: of, pairs });
  const frame = { dressing, onPart, onDrawn, chatAddress: chatAddress ?? "", title: words.frame };
  return (
    <section class="sample-page" aria-label={words.title}>
      <div class="sample-page-bar">
        <Select
          name={words.state}
          value={shown}
          options={[...sampleNames, "own" as const].map((name) => ({ value: name, label: words.samples[name] }))}
          onChange={onShow}
        />
        <Segments
          label={words.scheme}
          value={scheme}
          options={[
            { value: "light", label: <Choice icon="sun" words={words.light} /> },
            { value: "dark", label: <Choice icon="moon" words={words.dark} /> },
          ]}
          onChange={onScheme}
        />
        <span class="sample-page-sizes">
          <Segments
            label={words.size}
            value={size}
            options={[
              { value: "phone", label: <Choice icon="smartphone" words={words.phone} /> },
              { value: "wide", label: <Choice icon="monitor" words={words.wide} /> },
            ]}
            onChange={setSize}
          />
        </span>
      </div>
      <Stage kind="page" size={size}>
        {chatAddress === undefined ? (
          <Skeleton rows={6} />
        ) : shown === "own" ? (
          <OwnFrame bot={bot} frame={frame} />
        ) : (
          <SampleFrame name={shown} look={look} frame={frame} />
        )}
      </Stage>
    </section>
  );
}

function Choice({ icon, words }: { readonly icon: string; readonly words: string }) {
  return (
    <>
      <Icon name={icon} size={14} />
      <span class="visually-hidden">{words}</span>
    </>
  );
}

type Look = { readonly version: unknown; readonly name: string; readonly theme: unknown; readonly settings: unknown };

/**
 * Returns the bot in the form that chat pages read. The object changes only when the theme, the settings, the name or
 * the flow's version change.
 */
function useLook({ bot, editor }: OpenBot): Look {
  const theme = useComputed(() => editor.store.draft.value.theme).value;
  const settings = useComputed(() => editor.store.draft.value.settings).value;
  const version = useComputed(() => editor.store.draft.value.version).value;
  const { name } = bot.value;
  return useMemo(() => ({ version, name, theme, settings }), [version, name, theme, settings]);
}

type FrameProps = {
  readonly dressing: Dressing;
  readonly onPart: ((part: PagePart) => void) | undefined;
  readonly onDrawn: (dressing: Dressing, pairs: DrawnPairs) => void;
  readonly chatAddress: string;
  readonly title: string;
};

type SampleFrameProps = { readonly name: SampleName; readonly look: Look; readonly frame: FrameProps };

/** A sample state of the chat page. One frame shows all sample states, one after another. */
function SampleFrame({ name, look, frame }: SampleFrameProps) {
  const { says } = useWords(samplePageWords);
  // The typing settings and the message for a rejected reply apply when a chat begins, so a change of the settings
  // starts these two samples again.
  const settings = name === "typing" || name === "refused" ? look.settings : undefined;
  const known = useRef(look);
  known.current = look;
  const shown = useMemo(() => ({ number: 0, ...sampleChat(name, says, known.current) }), [name, says, settings]);
  const hear = async (_: number, asked: FromFrame): Promise<ToFrame | undefined> => {
    switch (asked.kind) {
      case "say":
        return { kind: "answer", id: asked.id, value: sampleAnswer(name, says) };
      case "start":
      case "goBack":
      case "read":
        return { kind: "answer", id: asked.id, value: shown.chat };
      default:
        return undefined;
    }
  };
  return <PreviewFrame {...frame} shown={shown} hear={hear} />;
}

/** Shows the bot itself from its beginning, as in a preview. */
function OwnFrame({ bot, frame }: { readonly bot: OpenBot; readonly frame: FrameProps }) {
  const words = useWords(samplePageWords);
  const run = useMemo(() => createRun(previewServiceFor(bot.id)), [bot.id]);
  const isSaved = bot.editor.saved.value !== undefined;
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current || !isSaved) return;
    hasBegun.current = true;
    void run.start({ startFrom: undefined, variables: {} });
  }, [isSaved]);
  const shown = run.shown.value;
  const failure = run.failures.value.at(-1);
  if (shown) return <PreviewFrame {...frame} shown={shown} hear={run.hear} />;
  if (failure) return <p class="sample-page-note">{failure.message}</p>;
  return isSaved ? <Skeleton rows={6} /> : <p class="sample-page-note">{words.notSaved}</p>;
}
