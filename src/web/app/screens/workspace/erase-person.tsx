import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Answer, call } from "../../api/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { useSubmit } from "../../page-parts/submit.ts";
import { Banner, Button, Checkbox, ConfirmDialog, Dialog, FieldError, TextField } from "../../ui/index.ts";
import erasureWords from "../../words/en/erasures.json";
import { numberText, timeText, useWords } from "../../words/index.ts";
import "./erase-person.css";

const operation = "POST /api/v1/workspaces/:workspaceId/person-erasures";

type Person = { readonly variable: string; readonly value: string; readonly isFolded: boolean };
type Counted = Answer<typeof operation>;
type Receipt = Counted["personErasure"];

type Stage =
  | { readonly kind: "asking" }
  | { readonly kind: "counted"; readonly counted: Counted }
  | { readonly kind: "erased"; readonly receipt: Receipt };

export type ErasePersonProps = {
  readonly workspaceId: string;
  /** Called when there is a new receipt. */
  readonly onErased: () => Promise<void>;
  readonly onClose: () => void;
};

/**
 * The dialog that erases the results of a person.
 *
 *     asking ── the results are counted ───→ counted
 *     counted ─ back ──────────────────────→ asking, with the previous input
 *     counted ─ the author confirms, or requests a receipt without results ─→ erased
 *     erased ── the author erases the remaining results ─→ erased
 */
export function ErasePerson({ workspaceId, onErased, onClose }: ErasePersonProps) {
  const words = useWords(erasureWords);
  const [person, setPerson] = useState<Person>({ variable: "", value: "", isFolded: true });
  const [stage, setStage] = useState<Stage>({ kind: "asking" });
  const send = ({ isDryRun }: { readonly isDryRun: boolean }) => {
    const { isFolded, ...rest } = person;
    return call(operation, {
      path: { workspaceId },
      body: { ...rest, variable: rest.variable.trim(), match: isFolded ? "folded" : "exact", isDryRun },
      // Makes a node of an earlier release refuse the request. Such a node does not support a dry run and would erase
      // the data.
      headers: { Prefer: "handling=strict" },
    });
  };
  const count = async () => setStage({ kind: "counted", counted: await send({ isDryRun: true }) });
  const erase = async () => {
    const { personErasure: receipt } = await send({ isDryRun: false });
    setStage({ kind: "erased", receipt });
    await onErased();
  };
  const back = () => setStage({ kind: "asking" });
  switch (stage.kind) {
    case "asking":
      return <Question person={person} onChange={setPerson} count={count} onClose={onClose} />;
    case "counted": {
      const { personErasure: found, spellings = [], variables = [], onlyInAnswers = 0, asOf } = stage.counted;
      if (found.results === 0) {
        return <NothingFound person={person} isComplete={found.isComplete} {...{ erase, back, onClose }} />;
      }
      return (
        <ConfirmDialog
          title={words.foundTitle({ count: found.results })}
          text={words.foundText({ variable: person.variable.trim(), bots: found.bots.length })}
          action={words.eraseNow}
          isDanger
          typed={person.value.trim()}
          onConfirm={erase}
          onClose={back}
        >
          {!found.isComplete && <Banner tone="warning" text={words.moreThanCounted} />}
          {asOf && <Banner tone="neutral" text={words.countedAsOf({ time: timeText(asOf) })} />}
          <List
            {...(onlyInAnswers > 0 && { text: words.onlyInAnswers({ count: onlyInAnswers }) })}
            lines={found.bots.map(({ name, results }) => words.ofBot({ name, count: results }))}
          />
          <List
            title={words.variables}
            text={words.variablesText}
            lines={found.bots.flatMap(({ botId, name }) =>
              variables.filter((meant) => meant.botId === botId).map(({ names }) => <Meant bot={name} names={names} />),
            )}
          />
          {person.isFolded && (
            <List
              title={words.spellings}
              lines={spellings.map(({ value, results }) => (
                <>
                  <code class="erase-person-value">{value}</code> · {numberText(results)}
                </>
              ))}
            />
          )}
          <Exports of={found} />
        </ConfirmDialog>
      );
    }
    case "erased":
      return <Erased receipt={stage.receipt} erase={erase} onClose={onClose} />;
  }
}

/** The name of a bot, followed by the current and the previous names of the variable in this bot. */
function Meant({ bot, names }: { readonly bot: string; readonly names: readonly string[] }) {
  return (
    <>
      {bot}:{" "}
      {names.map((name, index) => (
        <>
          {index > 0 && ", "}
          <code class="erase-person-value">{name}</code>
        </>
      ))}
    </>
  );
}

type QuestionProps = {
  readonly person: Person;
  readonly onChange: (person: Person) => void;
  readonly count: () => Promise<void>;
  readonly onClose: () => void;
};

function Question({ person, onChange, count, onClose }: QuestionProps) {
  const words = useWords(erasureWords);
  const { variable, value, isFolded } = person;
  return (
    <FormDialog
      title={words.erasePerson}
      text={words.findText}
      action={words.count}
      required={{ variable, value }}
      send={count}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={words.variable}
            help={words.variableHelp}
            value={variable}
            onInput={(text) => onChange({ ...person, variable: text })}
            error={errorOf("variable")}
            attributes={{ autofocus: true, autocomplete: "off", spellcheck: false }}
          />
          <TextField
            label={words.value}
            help={words.valueHelp}
            value={value}
            onInput={(text) => onChange({ ...person, value: text })}
            error={errorOf("value")}
            attributes={{ autocomplete: "off", spellcheck: false }}
          />
          <Checkbox
            label={words.isFolded}
            help={words.isFoldedHelp}
            isChecked={isFolded}
            onChange={(isChecked) => onChange({ ...person, isFolded: isChecked })}
          />
        </>
      )}
    </FormDialog>
  );
}

type NothingFoundProps = {
  readonly person: Person;
  readonly isComplete: boolean;
  readonly erase: () => Promise<void>;
  readonly back: () => void;
  readonly onClose: () => void;
};

/** Shown if no results were found. The author can still create a receipt, as proof. */
function NothingFound({ person, isComplete, erase, back, onClose }: NothingFoundProps) {
  const words = useWords(erasureWords);
  const shared = useWords();
  const { isBusy, error, submit } = useSubmit();
  return (
    <Dialog
      title={words.noneTitle}
      text={words.noneFound({ variable: person.variable.trim(), value: person.value.trim() })}
      size="s"
      onClose={onClose}
      onSubmit={back}
      actions={
        <>
          <Button label={words.keepReceipt} busy={isBusy} onPress={() => void submit({}, erase)} />
          <Button label={shared.back} kind="primary" type="submit" />
        </>
      }
    >
      {isComplete ? (
        <p class="erase-person-text">{words.noneHints}</p>
      ) : (
        <Banner tone="warning" text={words.moreThanCounted} />
      )}
      <FieldError error={error} />
    </Dialog>
  );
}

type ErasedProps = {
  readonly receipt: Receipt;
  readonly erase: () => Promise<void>;
  readonly onClose: () => void;
};

function Erased({ receipt, erase, onClose }: ErasedProps) {
  const words = useWords(erasureWords);
  const shared = useWords();
  const { isBusy, error, submit } = useSubmit();
  const { isComplete, results } = receipt;
  return (
    <Dialog
      title={words.doneTitle({ count: results })}
      text={isComplete ? words.doneText : words.unfinishedText}
      size="s"
      onClose={onClose}
      onSubmit={isComplete ? onClose : () => void submit({}, erase)}
      actions={
        <Button
          label={isComplete ? shared.close : words.goOn}
          kind={isComplete ? "primary" : "danger"}
          type="submit"
          busy={isBusy}
        />
      }
    >
      <Exports of={receipt} />
      <FieldError error={error} />
    </Dialog>
  );
}

function Exports({ of: { exports } }: { readonly of: Receipt }) {
  const words = useWords(erasureWords);
  return (
    <List
      title={words.exports}
      text={words.exportsText}
      lines={exports.map(({ fileName }) => <code>{fileName}</code>)}
    />
  );
}

type ListProps = {
  readonly title?: string;
  readonly text?: string;
  readonly lines: readonly ComponentChildren[];
};

/** Renders nothing if there are no lines. */
function List({ title, text, lines }: ListProps) {
  if (lines.length === 0) return null;
  return (
    <div class="erase-person-list">
      {title !== undefined && <h3>{title}</h3>}
      {text !== undefined && <p>{text}</p>}
      <ul>
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
