import { useRef, useState } from "preact/hooks";
import { call, refresh } from "../api/index.ts";
import { FormDialog } from "../page-parts/form-dialog.tsx";
import { go } from "../routing/router.ts";
import { Banner, Button, Checkbox, Dialog, TextArea, TextField, toast } from "../ui/index.ts";
import testsWords from "../words/en/tests.json";
import { useWords } from "../words/index.ts";
import { answerFrom, type KeptCall, nameFor, putProven, takenIn, withCalls } from "./kept-test.ts";
import type { Run } from "./run.ts";
import { variablesIn } from "./trace.ts";

export type KeepTestProps = {
  readonly botId: string;
  readonly run: Run;
  readonly blockOf: (id: string) => unknown;
  /** The keys that were typed while the dialog was loading. */
  readonly first: string;
  readonly onClose: () => void;
};

/** Creates a test from the preview, with its replies, the bot's responses, and the final values of variables. */
export function KeepTest({ botId, run, blockOf, first, onClose }: KeepTestProps) {
  const words = useWords(testsWords);
  const [title, setTitle] = useState(first);
  const [isRequired, setRequired] = useState(false);
  const [answers, setAnswers] = useState(() => firstAnswers(run, blockOf));
  const [problems, setProblems] = useState<readonly string[]>();
  const name = useRef<string | undefined>(undefined);
  const calls = callsToAnswer(run);
  const send = async (): Promise<void> => {
    const path = { botId };
    const { sessionId, startFrom, variables } = run.walk();
    const [{ conversation: recorded }, { testConversations }] = await Promise.all([
      call("POST /api/v1/bots/:botId/testConversations/record", { path, body: { sessionId, title: title.trim() } }),
      call("GET /api/v1/bots/:botId/testConversations", { path }),
    ]);
    // A failed attempt may already have stored the test, so a retry uses the same name.
    name.current ??= nameFor(title, new Set(testConversations.map((one) => one.name)));
    const test = name.current;
    const values = Object.fromEntries(variablesIn(run.steps.value).map((one) => [one.name, one.value]));
    const outcome = await putProven(withCalls(recorded, { startFrom, variables, calls, answers }), values, {
      isRequired,
      put: (body) => call("PUT /api/v1/bots/:botId/testConversations/:name", { path: { botId, name: test }, body }),
      prove: async () =>
        (await call("POST /api/v1/bots/:botId/testConversations/run", { path, body: { names: [test] } })).outcomes[0],
    }).finally(() => refresh(`tests/${botId}`));
    if (outcome && !outcome.hasPassed) {
      setProblems(outcome.problems.map(({ message }) => message));
      return;
    }
    onClose();
    toast(words.kept, { label: words.toTests, onPress: () => go(`/bots/${botId}/tests`) });
  };
  if (problems)
    return (
      <Dialog
        title={words.keptFailing}
        onClose={onClose}
        actions={<Button label={words.toTests} kind="primary" onPress={() => go(`/bots/${botId}/tests`)} />}
      >
        <Banner text={words.keptFailingText} tone="warning" />
        <ul>
          {problems.slice(0, 10).map((problem, index) => (
            <li key={index}>{problem}</li>
          ))}
        </ul>
        {isRequired && <p>{words.keptNotRequired}</p>}
      </Dialog>
    );
  return (
    <FormDialog
      title={words.keep}
      text={words.keepText}
      action={words.keepAct}
      size="m"
      required={{ title }}
      send={send}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={words.name}
            placeholder={words.nameExample}
            value={title}
            onInput={setTitle}
            maxLength={200}
            error={errorOf("title")}
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          <Checkbox label={words.requiredLong} isChecked={isRequired} onChange={setRequired} />
          {calls.map(({ blockId, label }) => (
            <TextArea
              key={blockId}
              label={words.answerOf({ call: label })}
              help={words.answerHelp}
              rows={2}
              value={answers.get(blockId) ?? ""}
              onInput={(text) => setAnswers(new Map([...answers, [blockId, text]]))}
              attributes={{ dir: "ltr", spellcheck: "false" }}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}

/**
 * Returns suggested response bodies, derived from the values that blocks took from the responses. A block whose values
 * do not determine its response has no suggestion. The author can edit the bodies.
 */
function firstAnswers(run: Run, blockOf: KeepTestProps["blockOf"]): ReadonlyMap<string, string> {
  const taken = takenIn(run.steps.value);
  return new Map(
    callsToAnswer(run).flatMap(({ blockId, effect }) => {
      const answer = answerFrom(blockOf(blockId), effect, taken.get(blockId));
      return answer === undefined ? [] : [[blockId, answer] as const];
    }),
  );
}

/**
 * Returns the HTTP and model calls of the chat, one per block. A preview does not store the responses of other servers,
 * so the author enters them.
 */
function callsToAnswer(run: Run): readonly KeptCall[] {
  const found = new Map<string, KeptCall>();
  for (const { blockId, effect, address, model, status } of run.calls.value) {
    if (effect !== "http" && effect !== "model") continue;
    found.set(blockId, { blockId, effect, status: status ?? 200, label: address ?? model ?? effect });
  }
  return [...found.values()];
}
