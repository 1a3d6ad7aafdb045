import { useMemo, useState } from "preact/hooks";
import { type Accent, accentOf } from "../../../../core/theme/accent.ts";
import { readTheme } from "../../../../core/theme/stored-theme.ts";
import { copyText } from "../../page-parts/save-and-copy.ts";
import {
  type EmbedKind,
  type EmbedOptions,
  embedKinds,
  openings,
  plainOptions,
  snippetFor,
} from "../../page-parts/snippets.ts";
import { Button, Select, Tabs, TextArea, TextField } from "../../ui/index.ts";
import shareWords from "../../words/en/share.json";
import { useWords } from "../../words/index.ts";
import { LiveView } from "./live-view.tsx";
import type { LookedAt } from "./talk.ts";

export type EmbedProps = {
  readonly bot: LookedAt;
  readonly chatAddress: string;
  readonly publicId: string;
  readonly variables: Readonly<Record<string, string>>;
};

/** Shows how to embed a bot in a website: the options, a preview, and the code to copy. */
export function Embed({ bot, chatAddress, publicId, variables }: EmbedProps) {
  const words = useWords(shareWords);
  const [kind, setKind] = useState<EmbedKind>("bubble");
  const [options, setOptions] = useState<EmbedOptions>({ ...plainOptions, opener: words.talkToUs });
  const accent = useMemo(() => accentOfBot(bot), [bot]);
  const snippet = snippetFor(kind, { chatAddress, publicId, frameName: words.chat, options, variables });
  return (
    <section class="share-embed">
      <h2>{words.embed}</h2>
      <Tabs
        label={words.embed}
        tabs={embedKinds.map((id) => ({ id, label: words.kinds[id] }))}
        selected={kind}
        onSelect={setKind}
      >
        <p class="share-hint">{words.kindTexts[kind]}</p>
        {kind !== "api" && (
          <div class="share-halves">
            <Options
              kind={kind}
              options={options}
              accent={accent}
              onChange={(next) => setOptions({ ...options, ...next })}
            />
            <LiveView {...{ kind, snippet, bot, chatAddress, variables }} height={options.height} />
          </div>
        )}
        <div class="share-snippet">
          <TextArea
            label={kind === "api" ? "curl" : words.snippet}
            value={snippet}
            isReadOnly
            isMono
            rows={Math.min(14, snippet.split("\n").length + 1)}
            attributes={{ wrap: "off", spellcheck: false }}
          />
          <Button label={words.copy} icon="copy" kind="primary" onPress={() => void copyText(snippet, words.copied)} />
        </div>
      </Tabs>
    </section>
  );
}

/** Returns the bubble's default colours. */
function accentOfBot({ theme, version }: LookedAt): Accent {
  return accentOf(readTheme(theme), typeof version === "string" ? version : undefined);
}

type OptionsProps = {
  readonly kind: EmbedKind;
  readonly options: EmbedOptions;
  readonly accent: Accent;
  readonly onChange: (next: Partial<EmbedOptions>) => void;
};

function Options({ kind, options, accent, onChange }: OptionsProps) {
  const words = useWords(shareWords);
  if (kind === "api") return null;
  if (kind === "page" || kind === "frame") {
    return (
      <div class="share-options">
        <TextField
          label={words.height}
          type="number"
          value={options.height}
          placeholder="640"
          onInput={(height) => onChange({ height })}
        />
      </div>
    );
  }
  const isBubble = kind === "bubble";
  return (
    <div class="share-options">
      {isBubble && (
        <>
          <Select
            label={words.placement}
            value={options.placement}
            options={[
              { value: "right", label: words.right },
              { value: "left", label: words.left },
            ]}
            onChange={(placement) => onChange({ placement })}
          />
          <Select
            label={words.size}
            value={options.size}
            options={[
              { value: "medium", label: words.medium },
              { value: "large", label: words.large },
            ]}
            onChange={(size) => onChange({ size })}
          />
          <ColorField
            label={words.buttonColor}
            value={options.buttonColor}
            byDefault={accent.color}
            onInput={(buttonColor) => onChange({ buttonColor })}
          />
          <ColorField
            label={words.iconColor}
            value={options.iconColor}
            byDefault={accent.ink}
            onInput={(iconColor) => onChange({ iconColor })}
          />
          <TextField
            label={words.icon}
            help={words.iconHelp}
            value={options.icon}
            onInput={(icon) => onChange({ icon })}
          />
          <TextField
            label={words.message}
            value={options.message}
            placeholder={words.messageExample}
            onInput={(message) => onChange({ message })}
          />
        </>
      )}
      {kind === "popup" && (
        <>
          <TextField label={words.opener} value={options.opener} onInput={(opener) => onChange({ opener })} />
          <TextField
            label={words.width}
            type="number"
            value={options.width}
            placeholder="512"
            onInput={(width) => onChange({ width })}
          />
        </>
      )}
      <Select
        label={words.opensByItself}
        value={options.opening}
        options={openings.map((value) => ({ value, label: words.openings[value] }))}
        onChange={(opening) => onChange({ opening, after: "" })}
      />
      {(options.opening === "delay" || options.opening === "scroll") && (
        <TextField
          label={options.opening === "delay" ? words.seconds : words.percent}
          type="number"
          value={options.after}
          placeholder={options.opening === "delay" ? "5" : "50"}
          onInput={(after) => onChange({ after })}
        />
      )}
    </div>
  );
}

type ColorFieldProps = {
  readonly label: string;
  readonly value: string;
  /** The colour to show while `value` is not a valid colour. */
  readonly byDefault: string;
  readonly onInput: (value: string) => void;
};

function ColorField({ label, value, byDefault, onInput }: ColorFieldProps) {
  const words = useWords(shareWords);
  return (
    <TextField
      label={label}
      value={value}
      placeholder={words.asTheBot}
      onInput={onInput}
      attributes={{ autocomplete: "off", spellcheck: false }}
      aside={
        <input
          class="share-swatch"
          type="color"
          aria-label={words.pick({ label })}
          value={/^#[\da-f]{6}$/i.test(value) ? value : byDefault}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      }
    />
  );
}
