import { useEffect, useId, useState } from "preact/hooks";
import { allPages, call, useQuery } from "../api/index.ts";
import { TextField } from "../ui/index.ts";
import fontWords from "../words/en/font.json";
import { useWords } from "../words/index.ts";
import "./font-choice.css";

/** A font in the format of a theme. */
export type FontValue = {
  readonly type: "Google" | "Custom";
  readonly family: string;
  readonly css?: string;
  readonly url?: string;
};

type FontChoiceProps = {
  readonly workspaceId: string;
  /** The current font. A string is the name of a Google Fonts family. */
  readonly value: unknown;
  /** The font of the workspace's brand, if there is one. */
  readonly ofBrand?: FontValue | undefined;
  readonly isDisabled: boolean;
  /** Called with undefined when the font is cleared. */
  readonly onChange: (font: FontValue | undefined) => void;
};

/** Fonts that every device has, so that nothing is loaded for them. */
const systemFonts = {
  sans: "system-ui",
  serif: "ui-serif, Georgia, Cambria, serif",
  rounded: "ui-rounded, Nunito, Quicksand, Comfortaa, sans-serif",
  mono: "ui-monospace, Menlo, Consolas, monospace",
} as const;

type Choice = { readonly id: string; readonly label: string; readonly letters: string; readonly font: FontValue };

/**
 * Selects a font: a system font, the brand's font, an uploaded font, or any Google Fonts family. The name of each
 * listed font is shown in the font itself.
 */
export function FontChoice({ workspaceId, value, ofBrand, isDisabled, onChange }: FontChoiceProps) {
  const words = useWords(fontWords);
  const name = useId();
  const uploaded = useUploadedFonts(workspaceId);
  const font = fontOf(value);
  const choices: readonly Choice[] = [
    ...(["sans", "serif", "rounded", "mono"] as const).map((id) => ({
      id,
      label: words[id],
      letters: systemFonts[id],
      font: { type: "Custom", family: systemFonts[id] } as const,
    })),
    ...(ofBrand
      ? [{ id: "brand", label: words.brand({ family: ofBrand.family }), letters: ofBrand.family, font: ofBrand }]
      : []),
    ...uploaded,
  ];
  const chosen = choices.find((choice) => isSame(choice.font, font));
  const google = font?.type === "Google" ? font.family : "";
  return (
    <fieldset class="font-choice" disabled={isDisabled}>
      <legend>{words.font}</legend>
      <div class="font-choice-list">
        <label class="font-choice-one">
          <input
            type="radio"
            name={name}
            class="visually-hidden"
            checked={font === undefined}
            onChange={() => onChange(undefined)}
          />
          <span>{words.none}</span>
        </label>
        {choices.map((choice) => (
          <label key={choice.id} class="font-choice-one">
            <input
              type="radio"
              name={name}
              class="visually-hidden"
              checked={choice === chosen}
              onChange={() => onChange(choice.font)}
            />
            <span style={{ fontFamily: choice.letters }}>{choice.label}</span>
          </label>
        ))}
      </div>
      <Google key={google} family={chosen ? "" : google} isDisabled={isDisabled} onChange={onChange} />
      {font && !chosen && google === "" && <p class="font-choice-own">{words.own({ family: font.family })}</p>}
    </fieldset>
  );
}

type GoogleProps = Pick<FontChoiceProps, "isDisabled" | "onChange"> & { readonly family: string };

/**
 * The name of a font family. The name is not stored while it is being typed, because a partial name may be another
 * font.
 */
function Google({ family, isDisabled, onChange }: GoogleProps) {
  const words = useWords(fontWords);
  const [written, setWritten] = useState(family);
  const take = () => {
    const next = written.trim();
    if (next !== "" && next !== family) onChange({ type: "Google", family: next });
  };
  return (
    <TextField
      label={words.google}
      help={words.googleHelp}
      value={written}
      isReadOnly={isDisabled}
      onInput={setWritten}
      onCommit={take}
    />
  );
}

/** Returns the fonts among the workspace's files, and loads them so that each name can be shown in its own font. */
function useUploadedFonts(workspaceId: string): readonly Choice[] {
  const { value: files } = useQuery(`font-files/${workspaceId}`, async () => {
    const all = await allPages(
      (page) => call("GET /api/v1/workspaces/:workspaceId/files", { path: { workspaceId }, query: page }),
      (answer) => answer.files,
    );
    return all.filter(({ type }) => type === "font/woff2").slice(0, mostFonts);
  });
  const [, setLoaded] = useState(0);
  useEffect(() => {
    for (const { id, url } of files ?? [])
      void loadFont(familyOfFile(id), url).then((isLoaded) => isLoaded && setLoaded((count) => count + 1));
  }, [files]);
  return (files ?? []).map(({ id, name, url }) => {
    const family = plainName(name.replace(/\.woff2$/i, ""));
    const css = `@font-face { font-family: "${family}"; src: url(${url}) format("woff2"); font-display: swap }`;
    return { id, label: family, letters: `"${familyOfFile(id)}"`, font: { type: "Custom", family, css } };
  });
}

/** The maximum number of uploaded fonts in the list. Each of them is loaded when the list is shown. */
const mostFonts = 20;
const loaded = new Set<string>();

const familyOfFile = (id: string) => `parley-file-${id}`;

/**
 * Loads a font with a request, because the builder's security policy blocks font URLs. Returns true if the font was
 * loaded now, and false if it was requested before or cannot be loaded.
 */
async function loadFont(family: string, url: string): Promise<boolean> {
  if (loaded.has(family)) return false;
  loaded.add(family);
  try {
    const response = await fetch(new URL(url, location.href).pathname);
    if (!response.ok) return false;
    document.fonts.add(await new FontFace(family, await response.arrayBuffer()).load());
    return true;
  } catch {
    return false;
  }
}

/** Returns a font name that requires no escaping in CSS. */
function plainName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N} _-]/gu, " ").trim() || "Own";
}

function fontOf(value: unknown): FontValue | undefined {
  if (typeof value === "string") return value === "" ? undefined : { type: "Google", family: value };
  if (typeof value !== "object" || value === null) return undefined;
  const [type, family]: readonly unknown[] = [Reflect.get(value, "type"), Reflect.get(value, "family")];
  if (typeof family !== "string" || family === "") return undefined;
  return { type: type === "Custom" ? "Custom" : "Google", family };
}

function isSame(one: FontValue, other: FontValue | undefined): boolean {
  return one.type === other?.type && one.family === other.family;
}
