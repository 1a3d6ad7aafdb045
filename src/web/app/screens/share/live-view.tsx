import { Smartphone } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EmbedKind } from "../../page-parts/snippets.ts";
import { frameAttributes, useFramePort } from "../../preview/frame-port.ts";
import { type Size, Stage } from "../../preview/stage.tsx";
import { addIcons, Icon, Segments } from "../../ui/index.ts";
import samplePageWords from "../../words/en/sample-page.json";
import shareWords from "../../words/en/share.json";
import { useWords } from "../../words/index.ts";
import { PageFrame, type PageFrameProps } from "./page-frame.tsx";
import { type Hear, type Talk, talks, useOwn, useSample } from "./talk.ts";

addIcons({ smartphone: Smartphone });

export type LiveViewProps = Omit<PageFrameProps, "talk"> & {
  readonly kind: Exclude<EmbedKind, "api">;
  /** The copied code. */
  readonly snippet: string;
  readonly height: string;
};

/** Shows a sample website with the copied code on a phone or a wide screen. */
export function LiveView({ kind, snippet, height, ...page }: LiveViewProps) {
  const words = useWords(shareWords);
  const [size, setSize] = useState<Size>("wide");
  const [talk, setTalk] = useState<Talk>("sample");
  return (
    <figure class="share-live">
      <div class="share-live-bar">
        <TalkChoice talk={talk} onChange={setTalk} />
        <SizeChoice size={size} onChange={setSize} />
      </div>
      <Stage key={size} kind="page" size={size}>
        {kind === "frame" ? (
          <Framed height={height} {...page} talk={talk} />
        ) : (
          <Site key={`${kind} ${talk}`} snippet={snippet} {...page} talk={talk} />
        )}
      </Stage>
      <figcaption>{words.liveTexts[kind]}</figcaption>
    </figure>
  );
}

type SiteProps = PageFrameProps & { readonly snippet: string };

function Site({ snippet, bot, talk, variables, chatAddress }: SiteProps) {
  const words = useWords(shareWords);
  const sample = useSample(bot);
  const own = useOwn(bot.id, variables);
  return (
    <SiteFrame snippet={snippet} hear={talk === "own" ? own : sample} chatAddress={chatAddress} title={words.live} />
  );
}

/** Shows the page in a frame of the builder at the selected height, because other sites may not frame the page. */
function Framed({ height, ...page }: PageFrameProps & { readonly height: string }) {
  return (
    <div class="share-site">
      <Lines />
      <div class="share-site-frame" style={{ height: `${Number(height) || 640}px` }}>
        <PageFrame {...page} />
      </div>
      <Lines />
    </div>
  );
}

function Lines() {
  return (
    <div class="share-site-lines" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

export function TalkChoice({ talk, onChange }: { readonly talk: Talk; readonly onChange: (talk: Talk) => void }) {
  const words = useWords(shareWords);
  return (
    <Segments
      label={words.says}
      value={talk}
      options={talks.map((value) => ({ value, label: words.talks[value] }))}
      onChange={onChange}
    />
  );
}

function SizeChoice({ size, onChange }: { readonly size: Size; readonly onChange: (size: Size) => void }) {
  const words = useWords(samplePageWords);
  return (
    <Segments
      label={words.size}
      value={size}
      options={[
        { value: "wide", label: <Choice icon="monitor" words={words.wide} /> },
        { value: "phone", label: <Choice icon="smartphone" words={words.phone} /> },
      ]}
      onChange={onChange}
    />
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

type SiteFrameProps = {
  readonly snippet: string;
  readonly hear: Hear;
  readonly chatAddress: string;
  readonly title: string;
};

/**
 * A sandboxed sample page with the snippet, which loads the same elements as any website. This page answers the
 * requests of the chats.
 */
function SiteFrame({ snippet, hear, chatAddress, title }: SiteFrameProps) {
  const element = useRef<HTMLIFrameElement>(null);
  const tell = useFramePort(element, {
    address: `${chatAddress}/assets/preview/site`,
    number: 0,
    onOpen: (speak) => speak({ kind: "embed", snippet, isOpen: true }),
    hear,
  });
  useEffect(() => tell.current?.({ kind: "embed", snippet, isOpen: false }), [snippet]);
  return <iframe ref={element} class="preview-frame" title={title} {...frameAttributes} />;
}
