import { expect, test } from "bun:test";
import { blocks } from "../../../src/core/blocks/index.ts";
import { questionsBeside, questionsOf } from "../../../src/web/app/screens/results/columns.ts";
import { notesOf } from "../../../src/web/app/screens/results/seen/notes.ts";
import resultWords from "../../../src/web/app/words/en/result.json";
import { currentWords } from "../../../src/web/app/words/language.ts";
import { rare } from "../../../src/web/browser/actions/rare.ts";
import { idOf } from "../../support/builder-ids.ts";
import { everyType, typesMissingIn } from "../../support/every-type.ts";

const { seen } = currentWords(resultWords);

const connected = { accounts: {}, outsideUrl: "http://outside.example", spreadsheetId: "sheet" };
const { flow } = everyType({ ...connected, linkedId: idOf("linked") });

test("the sample flow contains each block type of the registry", () => {
  expect(typesMissingIn(flow)).toEqual([]);
});

test("each input block is a question in the results", () => {
  const asking = flow.groups.flatMap((group) => group.blocks).filter(({ type }) => blocks.get(type)?.input);
  expect(questionsOf(flow).map(({ blockId }) => blockId)).toEqual(asking.map(({ id }) => id));
});

test("an answer to a removed question shows the name of its variable", () => {
  const town = { id: idOf("Town"), name: "Town", value: "Rome" };
  const answer = (blockId: string, variableId: string | null) => ({
    ...{ createdAt: "", resultId: "", groupId: "", content: "Yes", storageUsed: 0 },
    ...{ attachedFileUrls: [], storedFileUrls: [], blockId, variableId },
  });
  const result = {
    answers: [answer("here", null), answer("gone", town.id), answer("linked", null), answer("gone", town.id)],
    variables: [town],
  };
  expect(questionsBeside(result, [{ blockId: "here", label: "Here", isFile: false }], "Question")).toEqual([
    { blockId: "gone", label: "Town", isFile: false },
    { blockId: "linked", label: "Question", isFile: false },
  ]);
});

test("notes of a transcript describe each action of a visitor's browser", () => {
  const bubble = (id: string) => ({ id, type: "text", content: {} });
  const payload = { secondsToWaitFor: 1, url: "https://www.example.com" };
  const actions = [...rare.keys(), "wait", "listenForWebhook"].map((type) => ({ type, [type]: payload }));
  const texts = notesOf({ steps: [{ messages: [], clientSideActions: actions }] }, seen)[0]?.map(({ text }) => text);
  expect(texts).toHaveLength(actions.length);
  for (const { type } of actions) expect(texts).not.toContain(seen.ran({ name: type }));
  expect(texts).toContain(seen.waited({ seconds: "1" }));

  const step = {
    messages: [bubble("a"), bubble("b")],
    clientSideActions: [
      { type: "scriptToExecute" },
      { type: "pixel", lastBubbleBlockId: "a" },
      { type: "chatwoot", lastBubbleBlockId: "b" },
    ],
    skippedBlocks: [{ blockId: "x", type: "hologram" }],
    isTimeOver: true,
  };
  expect(notesOf({ steps: [step] }, seen)[0]).toEqual([
    { after: 0, text: seen.timeOver },
    { after: 0, text: seen.ran({ name: seen.actions.scriptToExecute }) },
    { after: 1, text: seen.ran({ name: seen.actions.pixel }) },
    { after: 2, text: seen.ran({ name: seen.actions.chatwoot }) },
    { after: 2, text: seen.skipped({ type: "hologram" }) },
  ]);
});
