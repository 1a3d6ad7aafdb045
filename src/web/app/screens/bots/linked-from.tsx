import { call, useQuery } from "../../api/index.ts";
import { Banner } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";

/** The maximum number of bots that are checked for links, and of names that are shown. */
const [askedBots, shownNames] = [20, 10];

type Identified = { readonly id: string };

/** Warns that other bots link to the given bots. Shown before an action that breaks these links. */
export function LinkedFrom({ bots }: { readonly bots: readonly Identified[] }) {
  const words = useWords();
  const ids = bots.map(({ id }) => id);
  const { value: linking = [] } = useQuery(`linked-from/${ids.join()}`, () => readLinking(ids));
  if (linking.length === 0) return null;
  const names = linking.slice(0, shownNames).map(({ name }) => `“${name}”`);
  const text = words.linkedFrom({
    count: linking.length,
    names: [...names, ...(linking.length > shownNames ? ["…"] : [])].join(", "),
  });
  return <Banner tone="warning" text={text} />;
}

/** Returns the other bots that link to one of these bots, without duplicates. */
async function readLinking(ids: readonly string[]) {
  const answers = await Promise.all(
    ids.slice(0, askedBots).map((botId) => call("GET /api/v1/bots/:botId/linkedBots", { path: { botId } })),
  );
  const found = answers.flatMap(({ linkedFrom }) => linkedFrom).filter(({ id }) => !ids.includes(id));
  return [...new Map(found.map((bot) => [bot.id, bot])).values()];
}
