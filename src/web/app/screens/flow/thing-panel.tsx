import { useComputed } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { textAt } from "../../../../core/interpreter/flow.ts";
import { DecisionNote } from "../../decisions/decision.tsx";
import { setInBlock, setInBlocks } from "../../editor/commands/blocks.ts";
import { removalOf, restoreRemoved } from "../../editor/commands/bring-back.ts";
import { setInEvent } from "../../editor/commands/events.ts";
import { renameGroup } from "../../editor/commands/groups.ts";
import type { OpenBot } from "../../editor/index.ts";
import { inlineCode } from "../../forms/fields/inline-code.tsx";
import {
  type BlockType,
  commonOf,
  Form,
  type FormContext,
  JsonForm,
  type OnSet,
  titleAt,
  useBlockTypes,
} from "../../forms/index.ts";
import { textsOf } from "../../presence/texts.ts";
import { Button, EmptyState, Tabs, TextField, Tile, toast } from "../../ui/index.ts";
import commandWords from "../../words/en/command.json";
import panelWords from "../../words/en/panel.json";
import panelNameWords from "../../words/en/panel-name.json";
import { useWords } from "../../words/index.ts";
import { useFormContext } from "../form-context.ts";
import { hasTrial, TrialPart, useCheck, useTrial } from "./block-trial.tsx";
import { useFollowing } from "./following-block.ts";
import { LockedNote, useLocked } from "./locked.tsx";
import { useRemoteOptions } from "./remote-options.ts";
import { useItemLeads, useWaysOut } from "./ways-out.ts";

/** The form of the selected group, block, item or event, or the shared form of several selected blocks. */
export function ThingPanel({ bot }: { readonly bot: OpenBot }) {
  const { nothingSelected } = useWords(panelNameWords);
  const selection = bot.editor.selection.focus.value;
  const several = bot.editor.selection.blocks.value;
  if (several.length > 1) return <SeveralPanel key={several.join(" ")} bot={bot} blockIds={several} />;
  if (!selection) return <EmptyState icon="pencil" title={nothingSelected} />;
  switch (selection.kind) {
    case "group":
      return <GroupPanel key={selection.id} bot={bot} groupId={selection.id} />;
    case "event":
      return <EventPanel key={selection.id} bot={bot} eventId={selection.id} />;
    case "block":
      return <BlockPanel key={selection.id} bot={bot} blockId={selection.id} />;
    case "item":
      return (
        <BlockPanel
          key={`${selection.blockId}/${selection.id}`}
          bot={bot}
          blockId={selection.blockId ?? ""}
          itemId={selection.id}
        />
      );
  }
}

function GroupPanel({ bot, groupId }: { readonly bot: OpenBot; readonly groupId: string }) {
  const { panel: words } = useWords(panelWords);
  const group = bot.editor.store.group(groupId).value;
  const locked = useLocked(bot, [groupId]);
  if (!group) return <Gone bot={bot} of="group" id={groupId} />;
  const run = (title: string): void => tell(bot.editor.run(renameGroup, { groupId, title }));
  return (
    <div class="panel-form">
      <LockedNote bot={bot} locked={locked} />
      <TextField
        label={words.groupTitle}
        value={textAt(group, "title") ?? ""}
        onInput={run}
        isReadOnly={locked !== "" || bot.editor.readOnly.value !== undefined}
        maxLength={255}
      />
      {bot.editor.decisions.value
        .filter(({ clash }) => clash.of === "group" && clash.id === groupId)
        .map((decision) => (
          <DecisionNote key={decision.held.set.id} decision={decision} editor={bot.editor} />
        ))}
    </div>
  );
}

function EventPanel({ bot, eventId }: { readonly bot: OpenBot; readonly eventId: string }) {
  const { events: names } = useWords(commandWords);
  const types = useBlockTypes();
  const { editor } = bot;
  const event = editor.store.event(eventId).value;
  const context = useFormContext(bot);
  const shared = useSharedContext(bot, eventId, context);
  const type = textAt(event ?? {}, "type") ?? "";
  const known = types?.get(type);
  const onSet = useMemo(
    () =>
      (...[path, value, over]: Parameters<OnSet>) =>
        tell(editor.run(setInEvent, { eventId, path, value, over, title: titleAt(known?.schema ?? {}, path) })),
    [editor, eventId, known],
  );
  if (!event) return <Gone bot={bot} of="event" id={eventId} />;
  const name = Object.entries(names).find(([key]) => key === type)?.[1] ?? type;
  return (
    <div class="panel-form">
      <PanelHeading icon={known?.editor.icon ?? "radio"} family="events" name={name} summary={known?.summary} />
      {known && type !== "start" && <Form schema={known.schema} value={event} onSet={onSet} context={shared} />}
    </div>
  );
}

type BlockPanelProps = { readonly bot: OpenBot; readonly blockId: string; readonly itemId?: string };
type Shown = "options" | "help" | "json";

function BlockPanel({ bot, blockId, itemId }: BlockPanelProps) {
  const { panel: words } = useWords(panelWords);
  const types = useBlockTypes();
  const [shown, setShown] = useState<Shown>("options");
  const { editor } = bot;
  const block = useComputed(() => editor.store.block(blockId).value?.block).value;
  const groupId = useComputed(() => editor.store.block(blockId).value?.groupId).value;
  const locked = useLocked(bot, [groupId]);
  const plain = useFormContext(bot, locked !== "");
  const waysOut = useWaysOut(bot, blockId);
  const itemLeads = useItemLeads(bot, blockId);
  const remoteOptions = useRemoteOptions(bot, blockId);
  const context = useMemo(
    (): FormContext => ({ ...plain, waysOut, itemLeads, remoteOptions }),
    [plain, waysOut, itemLeads, remoteOptions],
  );
  const shared = useSharedContext(bot, blockId, context);
  const known = types?.get(textAt(block ?? {}, "type") ?? "");
  const Trial = useTrial(bot, blockId, context);
  const Check = useCheck(bot, blockId);
  const follow = useFollowing(bot, { blockId, types });
  const ofForm = useMemo(
    () => ({ ...shared, ...(known?.callsOut && { Trial }), Check, follow }),
    [shared, Trial, Check, follow, known],
  );
  const onSet = useMemo(
    () =>
      (...[path, value, over]: Parameters<OnSet>) =>
        tell(editor.run(setInBlock, { blockId, path, value, over, title: titleAt(known?.schema ?? {}, path) })),
    [editor, blockId, known],
  );
  if (!block || !types) return types ? <Gone bot={bot} of="block" id={blockId} /> : null;
  const items: readonly unknown[] = Array.isArray(block["items"]) ? block["items"] : [];
  const index = itemId === undefined ? -1 : items.findIndex((item) => textAt(item, "id") === itemId);
  const at = index >= 0 ? { at: ["items", index] } : {};
  return (
    <div class="panel-form">
      <PanelHeading
        icon={known?.editor.icon ?? "square-dashed"}
        family={known?.editor.family}
        name={known?.editor.name ?? textAt(block, "type") ?? ""}
      />
      <LockedNote bot={bot} locked={locked} />
      <Tabs
        label={words.block}
        selected={shown}
        onSelect={setShown}
        tabs={[
          { id: "options", label: words.options },
          { id: "help", label: words.help },
          { id: "json", label: words.json },
        ]}
      >
        {shown === "options" && (
          <>
            <Form
              schema={known?.schema}
              layout={known?.editor.form}
              value={block}
              {...at}
              onSet={onSet}
              context={ofForm}
            />
            {known && index < 0 && !hasTrial(known) && (
              <TrialPart key={blockId} type={known} bot={bot} blockId={blockId} block={block} context={context} />
            )}
          </>
        )}
        {shown === "help" && <Help known={known} />}
        {shown === "json" && (
          <JsonForm
            label={words.asJson}
            value={block}
            withoutKeys={["id", "outgoingEdgeId"]}
            isReadOnly={context.isReadOnly}
            onSet={onSet}
          />
        )}
      </Tabs>
    </div>
  );
}

/** Returns the form context with the shared texts of the object, which show other people's carets. */
function useSharedContext(bot: OpenBot, thingId: string, context: FormContext): FormContext {
  const sharedText = useMemo(() => textsOf(bot)(thingId), [bot, thingId]);
  return useMemo(() => ({ ...context, sharedText }), [context, sharedText]);
}

/** Describes a block type in a sentence, with the titles of its examples and the visitor's replies in them. */
function Help({ known }: { readonly known: BlockType | undefined }) {
  if (!known) return null;
  return (
    <div class="panel-help">
      <p>{inlineCode(known.summary)}</p>
      <ul>
        {known.examples.map(({ title, reply }) => (
          <li key={title}>
            {title}
            {reply !== undefined && <span class="panel-reply">{reply}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

type GoneProps = { readonly bot: OpenBot; readonly of: "group" | "event" | "block"; readonly id: string };

/**
 * Shown after the selected object was removed. If another person removed it, shows the person's name and, if the flow
 * can be edited, a button that restores the object.
 */
function Gone({ bot, of, id }: GoneProps) {
  const { panel: words } = useWords(panelWords);
  const removal = removalOf(bot.editor.removals.value, { of, id });
  const name = removal?.by?.name;
  const restore = removal && bot.editor.readOnly.value === undefined ? removal.restore : undefined;
  return (
    <EmptyState icon="trash-2" title={name ? words.goneBy({ name }) : words.gone}>
      {restore && (
        <Button
          label={words.bringBack}
          icon="undo-2"
          onPress={() => tell(bot.editor.run(restoreRemoved, { restore }))}
        />
      )}
    </EmptyState>
  );
}

function tell(done: { readonly kind: "done" } | { readonly kind: "refused"; readonly sentence: string }): void {
  if (done.kind === "refused") toast(done.sentence);
}

/** One form for several blocks, with the fields that all of them have. A new value is one undo step for all blocks. */
function SeveralPanel({ bot, blockIds }: { readonly bot: OpenBot; readonly blockIds: readonly string[] }) {
  const { panel: words } = useWords(panelWords);
  const types = useBlockTypes();
  const { editor } = bot;
  const groupIds = useComputed(() => blockIds.map((id) => editor.store.block(id).value?.groupId).join(" ")).value;
  const locked = useLocked(bot, groupIds.split(" "));
  const plain = useFormContext(bot, locked !== "");
  const blocks = useComputed(() => blockIds.flatMap((id) => editor.store.block(id).value?.block ?? [])).value;
  const common = useMemo(
    () =>
      commonOf(
        blocks.map((block) => ({ schema: types?.get(textAt(block, "type") ?? "")?.schema ?? {}, value: block })),
      ),
    [blocks, types],
  );
  const context = useMemo((): FormContext => ({ ...plain, mixed: common.mixed }), [plain, common]);
  const onSet = useMemo(
    () => (path: readonly (string | number)[], value: unknown) => {
      const title = titleAt(common.schema ?? {}, path);
      const done = editor.run(setInBlocks, { blockIds, path, value, title });
      if (done.kind === "refused") toast(done.sentence);
    },
    [editor, blockIds, common.schema],
  );
  if (!types) return null;
  const counts = new Map<string, number>();
  for (const block of blocks) {
    const type = textAt(block, "type") ?? "";
    const name = types.get(type)?.editor.name ?? type;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const kinds = [...counts].map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(", ");
  return (
    <div class="panel-form">
      <PanelHeading icon="layers" name={words.several({ count: blocks.length })} summary={kinds} />
      <LockedNote bot={bot} locked={locked} />
      {common.schema ? (
        <>
          <p class="panel-note">{words.severalHelp}</p>
          <Form schema={common.schema} value={common.value} onSet={onSet} context={context} />
        </>
      ) : (
        <EmptyState icon="layers" title={words.nothingShared} />
      )}
    </div>
  );
}

type PanelHeadingProps = {
  readonly icon: string;
  readonly family?: string | undefined;
  readonly name: string;
  readonly summary?: string | undefined;
};

function PanelHeading({ icon, family, name, summary }: PanelHeadingProps) {
  return (
    <header class="panel-head">
      <Tile icon={icon} family={family} isLarge />
      <div>
        <h2 class="panel-title">{name}</h2>
        {summary !== undefined && <p class="panel-summary">{inlineCode(summary)}</p>}
      </div>
    </header>
  );
}
