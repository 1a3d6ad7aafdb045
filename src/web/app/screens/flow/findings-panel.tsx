/** @jsxImportSource preact */
import type { Finding, OpenBot } from "../../editor/index.ts";
import { Button, EmptyState, Icon, Skeleton } from "../../ui/index.ts";
import { panelWords } from "../../words/flow-panels.ts";
import { useWords } from "../../words/index.ts";

const severities = ["error", "warning", "info"] as const;
const icons = { error: "circle-alert", warning: "triangle-alert", info: "info" } as const;

/** What the linter has against the draft, the gravest first. */
export function FindingsPanel({ bot }: { readonly bot: OpenBot }) {
  const { findings: words } = useWords(panelWords);
  const all = bot.findings.all.value;
  if (!all) return <Skeleton rows={4} label={words.reading} />;
  if (all.length === 0) return <EmptyState icon="circle-check" title={words.none} />;
  return (
    <div class="panel-list">
      {severities.map((severity) => {
        const found = all.filter((one) => one.severity === severity);
        if (found.length === 0) return null;
        return (
          <section key={severity}>
            <h3 class="panel-section">
              {words.severities[severity]} ({found.length})
            </h3>
            <FindingList findings={found} onGo={(finding) => goTo(bot, finding)} />
          </section>
        );
      })}
    </div>
  );
}

export function FindingList({
  findings,
  onGo,
}: {
  readonly findings: readonly Finding[];
  readonly onGo?: (finding: Finding) => void;
}) {
  const { findings: words } = useWords(panelWords);
  return (
    <ul class="findings">
      {findings.slice(0, 200).map((finding) => (
        <li key={`${finding.rule} ${finding.path}`} class={`finding is-${finding.severity}`}>
          <Icon name={icons[finding.severity]} size={16} />
          <div>
            <p>{finding.message}</p>
            <p class="finding-advice">{finding.advice}</p>
            {onGo && (finding.blockId ?? finding.groupId ?? finding.eventId) !== undefined && (
              <Button size="s" kind="quiet" icon="arrow-right" onPress={() => onGo(finding)}>
                {words.go}
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

export function goTo({ editor }: OpenBot, { blockId, groupId, eventId, itemId }: Finding): void {
  if (blockId !== undefined && itemId !== undefined) editor.selection.value = { kind: "item", id: itemId, blockId };
  else if (blockId !== undefined) editor.selection.value = { kind: "block", id: blockId };
  else if (groupId !== undefined) editor.selection.value = { kind: "group", id: groupId };
  else if (eventId !== undefined) editor.selection.value = { kind: "event", id: eventId };
}
