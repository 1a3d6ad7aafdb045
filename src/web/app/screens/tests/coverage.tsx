import { Link } from "../../routing/router.ts";
import testsWords from "../../words/en/tests.json";
import { useWords } from "../../words/index.ts";
import { type Coverage, missedIn, type TestList } from "./service.ts";

type CoverageProps = { readonly botId: string; readonly bot: TestList["bot"]; readonly coverage: Coverage };

/** The maximum number of listed entries. The figures include all entries. */
const most = 50;

/** Shows how much of the flow the tests visit, and the parts that no test visits. */
export function CoveragePart({ botId, bot, coverage }: CoverageProps) {
  const words = useWords(testsWords);
  const { groups, edges } = missedIn(bot, coverage, words.nameless);
  const figures = [words.blocksMet(coverage.blocks), words.waysMet(coverage.edges), words.optionsMet(coverage.items)];
  return (
    <section class="tests-coverage" aria-label={words.coverage}>
      <h2>{words.coverage}</h2>
      <ul class="tests-figures">
        {figures.map((figure) => (
          <li key={figure}>{figure}</li>
        ))}
      </ul>
      {groups.length + edges.length === 0 ? (
        <p class="tests-note">{words.allMet}</p>
      ) : (
        <>
          <h3>{words.missed}</h3>
          <ul class="tests-missed">
            {groups.slice(0, most).map(({ id, title, met, of }) => (
              <li key={id}>
                <Link to={`/bots/${botId}?at=${id}`}>{title}</Link>{" "}
                <span class="tests-note">{met === 0 ? words.never : words.blocksMet({ met, total: of })}</span>
              </li>
            ))}
            {edges.slice(0, most).map(({ id, from, choice, to, blockId }) => {
              const words = `${choice === undefined ? from : `${from}: ${choice}`} → ${to}`;
              return <li key={id}>{blockId ? <Link to={`/bots/${botId}?at=${blockId}`}>{words}</Link> : words}</li>;
            })}
          </ul>
          {Math.max(groups.length, edges.length) > most && <p class="tests-note">{words.more}</p>}
        </>
      )}
    </section>
  );
}
