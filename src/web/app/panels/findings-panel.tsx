import { Wrench } from "lucide";
import { useState } from "preact/hooks";
import { textAt } from "../../../core/interpreter/flow.ts";
import { countFindings } from "../../../core/lint/counts.ts";
import { useQuery } from "../api/index.ts";
import type { FlowThing } from "../editor/commands/command.ts";
import { mendFindings } from "../editor/commands/fixes.ts";
import type { FixWanted } from "../editor/findings/findings-messages.ts";
import type { Finding, OpenBot } from "../editor/index.ts";
import { inlineCode } from "../forms/fields/inline-code.tsx";
import { addIcons, announce, Button, EmptyState, Icon, Skeleton } from "../ui/index.ts";
import { sentenceIn } from "../words/catalogue/sentence.ts";
import commandWords from "../words/en/command.json";
import onCardWords from "../words/en/on-card.json";
import outlineWords from "../words/en/outline.json";
import panelWords from "../words/en/panel.json";
import { language, useWords } from "../words/index.ts";
import { loadCatalogue } from "../words/load-catalogue.ts";
import "./findings.css";

addIcons({ wrench: Wrench });

const severities = ["error", "warning", "info"] as const;
const icons = { error: "circle-alert", warning: "triangle-alert", info: "info" } as const;

/**
 * Lists the linter's findings in the draft by descending severity, with buttons for the findings that can be fixed
 * automatically.
 */
export function FindingsPanel({ bot, at }: { readonly bot: OpenBot; readonly at?: FlowThing | undefined }) {
  const { findings: words } = useWords(panelWords);
  const onCard = useWords(onCardWords);
  const every = bot.findings.all.value;
  const [left, setLeft] = useState<FlowThing>();
  const mend = useMending(bot);
  const title = useTitleOf(bot, at);
  // The findings of the card `at`, unless it has none or the author has chosen to see all findings.
  const ofCard = at === left ? [] : (every?.filter(({ groupId, eventId }) => (groupId ?? eventId) === at?.id) ?? []);
  const all = ofCard.length > 0 ? ofCard : every;
  const counts = ofCard.length > 0 ? countFindings(ofCard) : bot.findings.counts.value;
  if (!all) return <Skeleton rows={4} label={words.reading} />;
  if (all.length === 0) return <EmptyState icon="circle-check" title={words.none} />;
  const sizes = { error: counts.errors, warning: counts.warnings, info: counts.infos };
  return (
    <div class="panel-list">
      {ofCard.length > 0 && (
        <p class="findings-of">
          <span>{onCard.findingsOf({ title })}</span>
          <Button label={onCard.allFindings} size="s" kind="quiet" onPress={() => setLeft(at)} />
        </p>
      )}
      {severities.map((severity) => {
        const found = all.filter((one) => one.severity === severity);
        if (found.length === 0) return null;
        return (
          <section key={severity}>
            <h3 class="panel-section">
              {words.severities[severity]} ({sizes[severity]})
            </h3>
            <FindingList findings={found} onGo={(finding) => goTo(bot, finding)} {...mend} />
          </section>
        );
      })}
    </div>
  );
}

function useTitleOf({ editor }: OpenBot, at: FlowThing | undefined): string {
  const { events } = useWords(commandWords);
  const { outline } = useWords(outlineWords);
  if (at?.kind !== "event") return textAt(editor.store.group(at?.id ?? "").value, "title") || outline.untitled;
  const type = textAt(editor.store.event(at.id).value, "type") ?? "";
  return Object.entries(events).find(([key]) => key === type)?.[1] ?? type;
}

type Mending = {
  readonly onFix?: (findings: readonly Finding[]) => void;
  readonly onFixAll?: (rule: string, count: number) => void;
};

/** Returns the functions that fix findings. Each fix is one undo step. A read-only flow has no fixes. */
function useMending({ editor, findings }: OpenBot): Mending {
  const { findings: words } = useWords(panelWords);
  const { refusals } = useWords(commandWords);
  const [isBusy, setBusy] = useState(false);
  if (editor.readOnly.value !== undefined) return {};
  const mend = async (wanted: FixWanted, count: number): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const changes = await findings.fix(wanted);
    setBusy(false);
    if (changes.length === 0) return announce(words.nothingToFix, "assertive");
    const done = editor.run(mendFindings, { changes, count });
    announce(done.kind === "done" ? words.fixed({ count }) : refusals.cannotBeMade, "polite");
  };
  return {
    onFix: (list) => void mend({ findings: list }, list.length),
    onFixAll: (rule, count) => void mend({ rule }, count),
  };
}

/** The maximum number of rendered findings per severity. */
const mostShown = 100;

type ListProps = Mending & {
  readonly findings: readonly Finding[];
  readonly onGo?: (finding: Finding) => void;
};

export function FindingList({ findings, onGo, onFix, onFixAll }: ListProps) {
  const { findings: words } = useWords(panelWords);
  const said = useSentences();
  const shown = findings.slice(0, mostShown);
  return (
    <>
      <ul class="findings">
        {shown.map((finding, index) => (
          <li key={`${finding.rule} ${finding.path} ${finding.message}`} class={`finding is-${finding.severity}`}>
            <Icon name={icons[finding.severity]} size={16} />
            <div>
              <p>{inlineCode(said(finding.message))}</p>
              <p class="finding-advice">{inlineCode(said(finding.advice))}</p>
              <div class="finding-acts">
                {onGo && (finding.blockId ?? finding.groupId ?? finding.eventId) !== undefined && (
                  <Button label={words.go} size="s" kind="quiet" icon="arrow-right" onPress={() => onGo(finding)} />
                )}
                {onFix && finding.isFixable && (
                  <Button label={words.fix} size="s" kind="quiet" icon="wrench" onPress={() => onFix([finding])} />
                )}
                {onFixAll && finding.isFixable && isFirstOfMany(findings, index) && (
                  <Button
                    label={words.fixAll({ count: fixableOf(findings, finding.rule) })}
                    size="s"
                    kind="quiet"
                    icon="wrench"
                    onPress={() => onFixAll(finding.rule, fixableOf(findings, finding.rule))}
                  />
                )}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {findings.length > shown.length && (
        <p class="finding-advice">{words.more({ count: findings.length - shown.length })}</p>
      )}
    </>
  );
}

/**
 * Returns a function that translates the linter's sentences to the current language. The sentences are in English until
 * the translations are loaded.
 */
function useSentences(): (english: string) => string {
  const now = language.value;
  const { value } = useQuery(now === "en" ? undefined : `catalogue/${now}`, () => loadCatalogue(now));
  return (english) => (value ? sentenceIn(value.findings, english) : english);
}

/**
 * Whether the finding is the first of several fixable findings of its rule. This finding gets the button that fixes all
 * of them.
 */
function isFirstOfMany(findings: readonly Finding[], index: number): boolean {
  const rule = findings[index]?.rule;
  const first = findings.findIndex((one) => one.rule === rule && one.isFixable);
  return first === index && fixableOf(findings, rule) > 1;
}

function fixableOf(findings: readonly Finding[], wanted: string | undefined): number {
  return findings.filter(({ rule, isFixable }) => rule === wanted && isFixable).length;
}

export function goTo({ editor }: OpenBot, { blockId, groupId, eventId, itemId }: Finding): void {
  if (blockId !== undefined && itemId !== undefined) editor.selection.select({ kind: "item", id: itemId, blockId });
  else if (blockId !== undefined) editor.selection.select({ kind: "block", id: blockId });
  else if (groupId !== undefined) editor.selection.select({ kind: "group", id: groupId });
  else if (eventId !== undefined) editor.selection.select({ kind: "event", id: eventId });
}
