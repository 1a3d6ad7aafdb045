/** @jsxImportSource preact */
import { Braces } from "lucide";
import { useMemo, useState } from "preact/hooks";
import type { DraftDocument } from "../../../editing/change.ts";
import { useBlockTypes, useFlowSchemas } from "../forms/index.ts";
import { addIcons, Button } from "../ui/index.ts";
import { differenceWords } from "../words/difference.ts";
import { commandWords } from "../words/flow-commands.ts";
import { outlineWords } from "../words/flow-outline.ts";
import { useWords } from "../words/index.ts";
import { fieldsBy, namesIn } from "./fields.ts";
import { Line, type Telling } from "./line.tsx";
import { countTold } from "./summary.ts";
import { tell } from "./tell.ts";
import type { Told } from "./told.ts";
import "./difference.css";

addIcons({ braces: Braces });

/** What sets two flows apart; undefined while the catalogue, which knows their fields, is on its way. */
export function useTold(
  before: DraftDocument | undefined,
  after: DraftDocument | undefined,
): readonly Told[] | undefined {
  const types = useBlockTypes();
  const flow = useFlowSchemas();
  return useMemo(
    () => (before && after && types && flow ? tell(before, after, fieldsBy({ types, flow })) : undefined),
    [before, after, types, flow],
  );
}

export type DifferenceListProps = {
  readonly before: DraftDocument;
  readonly after: DraftDocument;
  readonly told: readonly Told[];
  /** Shows a thing in the flow that is there now; without it there is no way there. */
  readonly onGo?: ((id: string) => void) | undefined;
};

/** What sets two flows apart: a sentence, then a line for each thing, with its fields; last what no visitor notices. */
export function DifferenceList({ before, after, told, onGo }: DifferenceListProps) {
  const words = useWords(differenceWords);
  const { outline } = useWords(outlineWords);
  const { events } = useWords(commandWords);
  const types = useBlockTypes();
  const flow = useFlowSchemas();
  const telling: Telling = useMemo(
    () => ({
      ...{ words, outline, types, onGo },
      eventNames: events,
      schemas: { types, flow },
      names: { before: namesIn(before), after: namesIn(after) },
    }),
    [words, outline, events, types, flow, before, after, onGo],
  );
  const noticed = told.filter(({ isNoticed }) => isNoticed);
  const others = told.filter(({ isNoticed }) => !isNoticed);
  const summary = words.summary(countTold(told));
  return (
    <section class="difference" aria-label={words.list}>
      <p class="difference-summary">
        {told.length === 0 ? words.same : noticed.length === 0 ? words.nothing : summary}
      </p>
      <Lines told={noticed} telling={telling} />
      {others.length > 0 && (
        <details class="difference-others">
          <summary>{words.unnoticed(others.length)}</summary>
          <Lines told={others} telling={telling} />
        </details>
      )}
    </section>
  );
}

/** Lines that are drawn at once: more come when they are asked for. */
const linesAtOnce = 120;

function Lines({ told, telling }: { readonly told: readonly Told[]; readonly telling: Telling }) {
  const [shown, setShown] = useState(linesAtOnce);
  if (told.length === 0) return null;
  return (
    <>
      <ul class="difference-lines">
        {told.slice(0, shown).map((one) => (
          <Line key={one.key} told={one} telling={telling} />
        ))}
      </ul>
      {told.length > shown && (
        <Button size="s" onPress={() => setShown(shown + linesAtOnce)}>
          {telling.words.more(told.length - shown)}
        </Button>
      )}
    </>
  );
}
