import { describe, expect, test } from "bun:test";
import type { Reply } from "../../../../src/core/interpreter/program/state.ts";
import { play, type Scene } from "../one-block.ts";
import vectors from "./choice-vectors.json";

const scenes = new Map<string, Scene["block"]>(Object.entries(vectors.scenes));
const { variables } = vectors;

describe.each(vectors.shown)("$vector: $scene", ({ scene, items }) => {
  test("a choice input shows its items", () => {
    expect(sceneOf(scene).asked.input).toMatchObject({ items });
  });
});

describe.each(vectors.replies)("$vector: $scene", ({ scene, reply, answer, edge }) => {
  test(`the reply ${JSON.stringify(reply)} gives the answer ${JSON.stringify(answer)} and the edge ${edge}`, () => {
    const played = sceneOf(scene);
    const said = played.say(replyOf(reply));
    const text = typeof reply === "string" ? reply : reply.text;
    expect(said).toMatchObject({ answer, edge, lastMessageNewFormat: answer === text ? null : answer });
    expect(said.input).toEqual(answer === null ? played.asked.input : null);
  });
});

function sceneOf(name: string) {
  const block = scenes.get(name);
  if (!block) throw new Error(`There is no scene ${name}`);
  return play({ block, variables });
}

function replyOf(reply: string | { text: string; replyId: string }): Reply {
  return typeof reply === "string" ? { type: "text", text: reply } : { ...reply, type: "text" };
}
