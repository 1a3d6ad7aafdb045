import { useRef, useState } from "preact/hooks";
import { type Answer, call, isRecord } from "../../api/index.ts";
import { FieldProblem, useSubmit } from "../../page-parts/submit.ts";
import { Badge, Button, Form, TextArea, TextField } from "../../ui/index.ts";
import { useWords, type Words } from "../../words/index.ts";
import type { MakeProps } from "./make-props.ts";

/** The flow in the selected, dropped or pasted content, or the reason why it contains none. */
type ReadFlow =
  | { readonly kind: "flow"; readonly flow: Readonly<Record<string, unknown>> }
  | { readonly kind: "broken" }
  | { readonly kind: "other" };

/** Reads a flow from text, which is an exported file or an API response that contains the flow. */
function readFlow(text: string): ReadFlow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "broken" };
  }
  const flow = [value, at(value, "bot"), at(value, "typebot")].find((each) => Array.isArray(at(each, "groups")));
  return isRecord(flow) ? { kind: "flow", flow } : { kind: "other" };
}

/**
 * Returns the position of a syntax error in JSON. All browsers describe the problem, but not all of them report the
 * position.
 */
async function findFault(text: string): Promise<{ readonly line: number; readonly column: number } | undefined> {
  const { findJsonFault } = await import("../../../../core/editing/changes/json-position.ts");
  return findJsonFault(text, { depth: mostNested });
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

/** The maximum nesting depth. Flows are less deeply nested. */
const mostNested = 200;

type Checked = {
  readonly flow: Readonly<Record<string, unknown>>;
  readonly found: Answer<"POST /api/v1/bots/import/check">;
};

const mostMegabytes = 10;

/** Imports a flow in three steps: reads the flow, shows its findings, and creates a bot. */
export function ImportBot({ place, onMade }: MakeProps) {
  const words = useWords();
  const [text, setText] = useState("");
  const { isBusy, error, submit } = useSubmit();
  const [checked, setChecked] = useState<Checked>();
  const file = useRef<HTMLInputElement>(null);

  const look = (given: string) =>
    submit({}, async () => {
      if (given.length > mostMegabytes * 1_000_000)
        throw new FieldProblem("flow", words.importTooLarge({ megabytes: mostMegabytes }));
      const read = readFlow(given);
      if (read.kind === "broken") {
        const at = await findFault(given);
        throw new FieldProblem("flow", words.importBroken({ line: at?.line, column: at?.column }));
      }
      if (read.kind === "other") throw new FieldProblem("flow", words.importNoFlow);
      const body = { workspaceId: place.workspaceId, bot: read.flow, repair: true };
      setChecked({ flow: read.flow, found: await call("POST /api/v1/bots/import/check", { body }) });
    });
  const lookAtFile = async (chosen: File | undefined) => {
    if (chosen) await look(await chosen.text());
  };

  if (checked) {
    const make = (name: string) =>
      submit({}, async () => {
        const body = { ...place, bot: { ...checked.flow, name }, repair: true };
        onMade((await call("POST /api/v1/bots/import", { body })).bot);
      });
    return (
      <Found checked={checked} isBusy={isBusy} error={error} onMake={make} onAgain={() => setChecked(undefined)} />
    );
  }
  return (
    <section
      class="import-bot"
      aria-label={words.importTitle}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void lookAtFile(event.dataTransfer?.files[0]);
      }}
    >
      <p>{words.importText}</p>
      <input
        ref={file}
        class="visually-hidden"
        type="file"
        accept=".json,application/json"
        aria-label={words.chooseFile}
        tabIndex={-1}
        onChange={(event) => void lookAtFile(event.currentTarget.files?.[0])}
      />
      <div>
        <Button label={words.chooseFile} icon="file-json" onPress={() => file.current?.click()} />
      </div>
      <TextArea
        label={words.pasteHere}
        isMono
        rows={5}
        value={text}
        onInput={setText}
        error={error}
        attributes={{ spellcheck: false }}
      />
      <div>
        <Button
          label={words.checkImport}
          kind="primary"
          busy={isBusy}
          isDisabled={text.trim() === ""}
          onPress={() => void look(text)}
        />
      </div>
    </section>
  );
}

type FoundProps = {
  readonly checked: Checked;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onMake: (name: string) => Promise<void>;
  readonly onAgain: () => void;
};

/**
 * The result of the check: the number of blocks by type, and lists of everything that will not work, must be completed,
 * or will be different.
 */
function Found({ checked, isBusy, error, onMake, onAgain }: FoundProps) {
  const words = useWords();
  const { report, groupCount, name: foundName } = checked.found;
  const [name, setName] = useState(foundName);
  const parts = [
    { title: words.importWillNotWork, lines: report.willNotWork },
    { title: words.importToEnter, lines: report.toEnter },
    { title: words.importDifferent, lines: report.different },
  ];
  return (
    <Form class="import-bot" onSubmit={() => onMake(name.trim() || foundName)}>
      <h3>{words.importFound}</h3>
      <p class="import-kinds">
        <Badge label={words.importGroups({ count: groupCount })} tone="accent" />
        {kindsOf(report.blocks).map(([type, count]) => (
          <Badge
            label={
              <>
                {type} {count > 1 ? `× ${count}` : ""}
              </>
            }
            key={type}
          />
        ))}
      </p>
      {parts
        .filter(({ lines }) => lines.length > 0)
        .map(({ title, lines }) => (
          <section key={title}>
            <h4>{title}</h4>
            <ul>
              {lines.map((line) => (
                <li key={line.kind}>{sentenceOf(line, words)}</li>
              ))}
            </ul>
          </section>
        ))}
      <TextField label={words.importName} value={name} onInput={setName} error={error} />
      <div class="import-actions">
        <Button label={words.importMake} kind="primary" type="submit" busy={isBusy} />
        <Button label={words.importAgain} kind="quiet" onPress={onAgain} />
      </div>
    </Form>
  );
}

type ReportedBlock = Checked["found"]["report"]["blocks"][number];

/** Returns the number of blocks of each type, in descending order. */
function kindsOf(blocks: readonly ReportedBlock[]): readonly (readonly [type: string, count: number])[] {
  const groups = Map.groupBy(blocks, ({ type }) => type);
  return [...groups].map(([type, of]) => [type, of.length] as const).toSorted(([, one], [, other]) => other - one);
}

type Report = Checked["found"]["report"];
type Line = Report["willNotWork" | "toEnter" | "different"][number];

/**
 * Returns a line of the result in the author's language, with the affected names, and with the groups of blocks that
 * will not work.
 */
function sentenceOf({ kind, count, names, places }: Line, words: Words): string {
  const said = {
    unknown_type: words.importUnknown,
    missing_bot: words.importLinks,
    credentials: words.importCredentials,
    address: words.importAddresses,
    repeated_id: words.importRepeated,
    unknown_word: words.importWords,
    unknown_key: words.importKeys,
    lost_key: words.importLostKeys,
  }[kind]({ count });
  const isBroken = kind === "unknown_type" || kind === "missing_bot";
  const where = isBroken ? [...new Set(places.map(({ groupTitle }) => groupTitle))].filter(Boolean) : [];
  return `${said} (${[names, where].flatMap((all) => (all.length > 0 ? [all.join(", ")] : [])).join(" · ")})`;
}
