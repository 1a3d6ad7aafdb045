/** @jsxImportSource preact */
import { useMemo } from "preact/hooks";
import { type Accent, accentOf } from "../../../conversation/accent.ts";
import { readTheme } from "../../../conversation/bot.ts";
import { type Dressing, PreviewFrame } from "../../preview/frame.tsx";
import { sampleAnswer, sampleChat } from "../../sample-page/samples.ts";
import { Icon } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { samplePageWords } from "../../words/sample-page.ts";
import { shareWords } from "../../words/share.ts";
import type { EmbedKind, EmbedOptions } from "./snippets.ts";

/** As much of a bot as decides how it looks. */
export type LookedAt = {
  readonly name: string;
  readonly version: unknown;
  readonly theme: unknown;
  readonly settings: unknown;
};

export type LiveViewProps = {
  readonly bot: LookedAt;
  readonly chatAddress: string;
  readonly kind: Exclude<EmbedKind, "api">;
  readonly options: EmbedOptions;
};

/** A page of somebody's with the chat on it, as what is chosen makes it. The chat in it is a sample with the bot's look. */
export function LiveView({ kind, options, bot, chatAddress }: LiveViewProps) {
  const words = useWords(shareWords);
  const isWithin = kind === "page" || kind === "frame";
  const height = Math.min(520, Number(options.height) || 640) * 0.72;
  return (
    <figure class={`share-live is-${kind} is-${options.placement}`}>
      <figcaption class="visually-hidden">{words.live}</figcaption>
      <Lines count={isWithin ? 2 : 5} />
      <div
        class="share-live-chat"
        style={isWithin ? { height: `${height}px` } : kind === "popup" ? { width: `${popupWidth(options)}%` } : {}}
      >
        <Sample bot={bot} chatAddress={chatAddress} />
      </div>
      {isWithin && <Lines count={2} />}
      {kind === "bubble" && <Bubble bot={bot} options={options} />}
    </figure>
  );
}

/** Of a page that is 1,000 pixels wide. */
function popupWidth({ width }: EmbedOptions): number {
  return Math.min(96, Math.max(40, (Number(width) || 512) / 7));
}

function Lines({ count }: { readonly count: number }) {
  return (
    <div class="share-live-lines" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** The colours of a bubble that names none. */
export function accentOfBot({ theme, version }: LookedAt): Accent {
  return accentOf(readTheme(theme), typeof version === "string" ? version : undefined);
}

function Bubble({ bot, options }: Pick<LiveViewProps, "bot" | "options">) {
  const accent = useMemo(() => accentOfBot(bot), [bot]);
  const { icon, message, size } = options;
  const isPicture = /[/:.]/.test(icon);
  return (
    <div class="share-live-corner" aria-hidden="true">
      {message !== "" && (
        <span class="share-live-message" dir="auto">
          {message}
        </span>
      )}
      <span
        class={`share-live-bubble is-${size}`}
        style={{ backgroundColor: options.buttonColor || accent.color, color: options.iconColor || accent.ink }}
      >
        {icon === "" ? <Icon name="message-circle" size={22} /> : isPicture ? <img src={icon} alt="" /> : icon}
      </span>
    </div>
  );
}

function Sample({ bot, chatAddress }: Pick<LiveViewProps, "bot" | "chatAddress">) {
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
