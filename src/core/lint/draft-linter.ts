import { apply } from "../editing/changes/apply.ts";
import type { Change, DraftDocument } from "../editing/changes/change.ts";
import { applyDelta, type Delta } from "../editing/changes/delta.ts";
import { eachBlock, idOf } from "../editing/changes/things.ts";
import type { DrawnTheme } from "../theme/drawn-things.ts";
import { type Counts, countByThing, countFindings } from "./counts.ts";
import type { LintFacts } from "./facts.ts";
import { gravestFirst, lintFlow } from "./lint.ts";
import type { Finding } from "./rule.ts";
import { rules } from "./rules.ts";
import { isDraft, storedFlow } from "./stored-draft.ts";

/** The linter's findings about a draft. */
export type Report = {
  /** The gravest first, up to the shown number. */
  readonly findings: readonly Finding[];
  readonly counts: Counts;
  /** The number of findings about a group, a block, an item, an event or an edge, by its id. */
  readonly byThing: readonly (readonly [string, Counts])[];
};

/** The service's findings about the draft at the time of the request. */
export type Answered = Pick<LintFacts, "linkedFrom"> & { readonly findings: readonly Finding[] };

/** The linter of an editor: it updates its copy of the draft with each change, and lints the copy again on request. */
export type DraftLinter = {
  open(draft: DraftDocument): void;
  change(delta: Delta): void;
  /** Records that the service was asked about the draft in its present state. */
  noteAsked(): void;
  noteAnswer(answer: Answered): void;
  /** Records how a browser has drawn the draft's theme in its present state. */
  noteDrawn(drawn: DrawnTheme): void;
  /** Undefined if the report has not changed since the last one. */
  read(): Report | undefined;
  /** The changes that fix these findings, or all findings of a rule. */
  fix(wanted: { readonly findings: readonly Finding[] } | { readonly rule: string }): readonly Change[];
};

/** The most findings of a report; the service has the same bound. */
const most = 1_000;

export function createDraftLinter({ newId }: { newId(): string }): DraftLinter {
  let draft: DraftDocument = { groups: [], edges: [], variables: [] };
  let asked: DraftDocument | undefined;
  let foreign: readonly Foreign[] = [];
  let linkedFrom: LintFacts["linkedFrom"];
  let drawn: { readonly of: unknown; readonly as: DrawnTheme } | undefined;
  let last = "";

  const findAll = (): readonly Finding[] => {
    // A changed theme has not been drawn yet.
    const asDrawn = drawn?.of === draft.theme ? drawn?.as : undefined;
    const facts = { ...(linkedFrom && { linkedFrom }), ...(asDrawn && { drawn: asDrawn }) };
    const own = lintFlow(storedFlow(draft), { facts });
    if (foreign.length === 0) return own;
    const blocks = blocksById(draft);
    const said = new Set(own.map(keyOf));
    const more = foreign.filter(
      ({ finding, block }) => block === blocks.get(finding.blockId) && !said.has(keyOf(finding)),
    );
    return gravestFirst([...own, ...more.map(({ finding }) => finding)]);
  };

  return {
    open(opened) {
      draft = opened;
      last = "";
    },
    change(delta) {
      const changed = applyDelta(draft, delta);
      if (isDraft(changed)) draft = changed;
    },
    noteAsked() {
      asked = draft;
    },
    noteAnswer({ findings, linkedFrom: linked }) {
      linkedFrom = linked ?? linkedFrom;
      const blocks = blocksById(asked ?? draft);
      foreign = findings.flatMap((finding) => {
        const block = blocks.get(finding.blockId);
        return block !== undefined && rulesOfWorkspace.has(finding.rule) ? [{ finding, block }] : [];
      });
    },
    noteDrawn(as) {
      drawn = { of: draft.theme, as };
    },
    read() {
      const report = reportOf(findAll());
      const said = JSON.stringify(report);
      if (said === last) return undefined;
      last = said;
      return report;
    },
    fix(wanted) {
      const findings =
        "rule" in wanted
          ? findAll().filter(({ rule, isFixable }) => rule === wanted.rule && isFixable)
          : wanted.findings;
      return fixesOf(draft, findings, { newId });
    },
  };
}

/** The changes that fix findings of a draft, rule by rule. */
export function fixesOf(
  draft: DraftDocument,
  findings: readonly Finding[],
  tools: { newId(): string },
): readonly Change[] {
  const made: Change[] = [];
  let now = draft;
  for (const [name, found] of Map.groupBy(findings, ({ rule }) => rule)) {
    const fix = rules.find((rule) => rule.name === name)?.fix;
    const changes = fix?.changes(now, found, tools) ?? [];
    if (changes.length === 0) continue;
    const after = apply(now, changes);
    if (!isDraft(after)) continue;
    made.push(...changes);
    now = after;
  }
  return made;
}

/** A finding of the service, and its block at that time: if the block has changed, the finding no longer counts. */
type Foreign = { readonly finding: Finding; readonly block: unknown };

const rulesOfWorkspace: ReadonlySet<string> = new Set(
  rules.filter(({ needsWorkspace }) => needsWorkspace).map(({ name }) => name),
);

function reportOf(findings: readonly Finding[]): Report {
  return {
    findings: findings.slice(0, most),
    counts: countFindings(findings),
    byThing: [...countByThing(findings)],
  };
}

function keyOf({ rule, blockId = "", message }: Finding): string {
  return `${rule} ${blockId} ${message}`;
}

function blocksById(draft: DraftDocument): Map<string | undefined, unknown> {
  return new Map([...eachBlock(draft)].map(({ block }) => [idOf(block), block]));
}
