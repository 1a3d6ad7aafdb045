import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import type { TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import type { Answer } from "../../../support/client.ts";
import { actAtOnce, createInterleavings, type Interleavings, limitMsOf } from "../../../support/interleavings.ts";

let place: Interleavings;
let owner: TestUser;

beforeEach(async () => {
  place = await createInterleavings();
  owner = await place.nodes[0].makeUser();
});
afterEach(() => place.close());

const runs = 6;
const verbs = [
  ...["write", "write", "write", "publish", "publish", "restore version", "restore version", "import"],
  ...["publish version", "unpublish", "canary", "promote", "roll back", "archive", "restore"],
] as const;

type Act = { readonly verb: (typeof verbs)[number]; readonly node: number; readonly number: number };

const act: fc.Arbitrary<Act> = fc.record({
  verb: fc.constantFrom(...verbs),
  node: fc.nat(1),
  number: fc.integer({ min: 1, max: 6 }),
});

test(
  "concurrent changes to drafts and versions lose no acknowledged write",
  async () => {
    const stories = fc.tuple(fc.array(act, { minLength: 25, maxLength: 50 }), fc.integer({ min: 2, max: 6 }));
    await place.check(
      stories,
      async ([acts, writers]) => {
        const story = await makeStory();
        const faults: string[] = [];
        await actAtOnce(acts, writers, async (next) => {
          const { status, body } = await perform(story, next);
          if (status >= 500) faults.push(`${next.verb}: ${JSON.stringify(body)}`);
        });

        expect(faults).toEqual([]);
        expect(await lostWrites(story)).toEqual([]);
        expect(await oddities(story)).toEqual([]);
      },
      runs,
    );
  },
  limitMsOf(runs),
);

type Story = {
  readonly botId: string;
  /**
   * The words that were added to the draft. `replaced` contains the values that a later write had read and then
   * replaced.
   */
  readonly written: string[];
  readonly replaced: Set<unknown>;
};

async function makeStory(): Promise<Story> {
  const workspaceId = await place.nodes[0].makeWorkspace(owner);
  const made = await send(0, "POST", "bots", { workspaceId, bot: { name: "Story" } });
  return { botId: made.text("bot.id"), written: [], replaced: new Set() };
}

let words = 0;

function perform(story: Story, { verb, node, number }: Act): Promise<Answer> {
  const path = `bots/${story.botId}`;
  const simple = (rest: string, body: object = {}) => send(node, "POST", `${path}/${rest}`, body);
  const call = {
    write: () => writeDraft(story, node),
    publish: () => simple("publish", { force: true }),
    "restore version": () => simple(`publications/${number}/restore`),
    import: () => simple("import", { bot: { version: "6", variables: [{ id: idOf("imported"), name: "Imported" }] } }),
    "publish version": () => simple(`publications/${number}/publish`),
    unpublish: () => simple("unpublish"),
    canary: () => simple("publish", { force: true, percent: 10 }),
    promote: () => simple("canary/promote"),
    "roll back": () => simple("canary/rollback"),
    archive: () => simple("archive"),
    restore: () => simple("restore"),
  }[verb];
  return call();
}

/** Reads the draft on one node, and overwrites it with a new word on the other. */
async function writeDraft({ botId, written, replaced }: Story, node: number) {
  const word = `word${++words}`;
  const read = await send(1 - node, "GET", `bots/${botId}`);
  const seen = read.text("bot.updatedAt");
  const bot = { variables: [{ id: word, name: word }], updatedAt: seen };
  const answer = await send(node, "PATCH", `bots/${botId}`, { bot });
  if (answer.status === 200) {
    written.push(word);
    for (const replacedWord of read.list("bot.variables.*.id")) replaced.add(replacedWord);
  }
  return answer;
}

/**
 * Returns words that are neither in the draft nor in a version, although no writer replaced them after reading them.
 */
async function lostWrites({ botId, written, replaced }: Story): Promise<string[]> {
  const draft = await send(0, "GET", `bots/${botId}`);
  const { sql } = place.nodes[0].deps;
  const versions = await sql<{ content: string }[]>`
    select flows.content::text as content
    from publications
    join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
    where publications.bot_id = ${botId}`;
  const kept = [JSON.stringify(draft.at("bot.variables")), ...versions.map(({ content }) => content)];
  return written.filter((word) => !replaced.has(word) && !kept.some((content) => content.includes(`"${word}"`)));
}

async function oddities({ botId }: Story): Promise<string[]> {
  const rows = await place.nodes[0].deps.sql<{ what: string }[]>`
    with numbered as (
      select number, row_number() over (order by number) as place
      from publications
      where bot_id = ${botId}
    )
    select 'a gap in the numbers' as what from numbered where number <> place
    union all
    select 'a count that is not the number of versions'
    from bots
    where id = ${botId} and publication_count <> (select count(*) from numbered)
    union all
    select 'a version that visitors meet and nobody made'
    from bots
    where id = ${botId} and publication_number is not null
      and not exists (select from numbered where number = publication_number)
    union all
    select 'a canary beside nothing'
    from bots
    where id = ${botId} and canary_number is not null and publication_number is null`;
  return rows.map(({ what }) => what);
}

function send(node: number, method: string, path: string, body?: object) {
  return place.send(node, method, `/api/v1/${path}`, { token: owner.token, ...(body && { body }) });
}
