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

/** The linter's findings in a draft. */
export type Report = {
  /** The most severe findings first, up to the maximum number. */
  readonly findings: readonly Finding[];
  readonly counts: Counts;
  /** The counts of findings for each group, block, item, event and edge, by id. */
  readonly byThing: readonly (readonly [string, Counts])[];
};

/** The service's response: its findings in the draft that it received, and the links from other bots. */
export type Answered = Pick<LintFacts, "linkedFrom"> & { readonly findings: readonly Finding[] };

/** The linter of an editor. The linter updates its copy of the draft with each change and lints the copy on request. */
export type DraftLinter = {
  open(draft: DraftDocument): void;
  change(delta: Delta): void;
  /** Records that the service was asked to lint the current state of the draft. */
  noteAsked(): void;
  noteAnswer(answer: Answered): void;
  /** Records how a browser has rendered the theme of the current draft. */
  noteDrawn(drawn: DrawnTheme): void;
  /**
   * Returns the report, or undefined if it equals the last returned report. After `open`, the report is always
   * returned.
   */
  read(): Report | undefined;
  /** Returns the changes that fix the given findings or all findings of a rule. */
  fix(wanted: { readonly findings: readonly Finding[] } | { readonly rule: string }): readonly Change[];
};

/** The maximum number of findings in a report. The service has the same limit. */
const most = 1_000;

export function createDraftLinter({ newId }: { newId(): string }): DraftLinter {
  let draft: DraftDocument = { groups: [], edges: [], variables: [] };
  let asked: DraftDocument | undefined;
  let foreign: readonly Foreign[] = [];
  let linkedFrom: LintFacts["linkedFrom"];
  let drawn: { readonly of: unknown; readonly as: DrawnTheme } | undefined;
  let last = "";

  const findAll = (): readonly Finding[] => {
    // If the objects differ, the theme has changed since it was last rendered.
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

/** Returns the changes that fix findings in a draft, rule by rule. */
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

/**
 * A finding of the service, and the finding's block at the time of the request. If the block has changed, the finding
 * is discarded.
 */
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
