import { useState } from "preact/hooks";
import { isJsonObject, type JsonObject } from "../../../../core/interpreter/flow.ts";
import { defaultColors } from "../../../../core/interpreter/schemas/default-colors.ts";
import { clearTheme } from "../../../../core/theme/clear.ts";
import { textAt } from "../../../conversation/read.ts";
import { allPages, call, refresh, useQuery } from "../../api/index.ts";
import { partOf, replaceTheme } from "../../editor/commands/look.ts";
import type { OpenBot } from "../../editor/index.ts";
import { NameDialog } from "../../page-parts/form-dialog.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { ConfirmDialog, Dialog, IconButton, Menu, toast } from "../../ui/index.ts";
import themeWords from "../../words/en/theme.json";
import { useWords } from "../../words/index.ts";

/** A menu that applies a stored theme or the theme of another bot, or stores the theme of this bot. */
export function Themes({ bot }: { readonly bot: OpenBot }) {
  const words = useWords(themeWords);
  const [shown, setShown] = useState<"take" | "keep">();
  const isReadOnly = bot.editor.readOnly.value !== undefined;
  const close = () => setShown(undefined);
  return (
    <>
      <Menu
        label={words.more}
        icon="ellipsis"
        isIconOnly
        kind="quiet"
        items={() => [
          { label: words.take, icon: "layout-template", isDisabled: isReadOnly, onPress: () => setShown("take") },
          { label: words.keep, icon: "archive", onPress: () => setShown("keep") },
        ]}
      />
      {shown === "take" && <TakeTheme bot={bot} onClose={close} />}
      {shown === "keep" && <KeepTheme bot={bot} onClose={close} />}
    </>
  );
}

type OfBot = { readonly bot: OpenBot; readonly onClose: () => void };

const keyOf = (workspaceId: string) => `themes/${workspaceId}`;

function KeepTheme({ bot, onClose }: OfBot) {
  const words = useWords(themeWords);
  const { workspaceId, name: botName } = bot.bot.value;
  const keep = async (name: string) => {
    const theme = { ...partOf(bot.editor.copy.view(), "theme") };
    await call("POST /api/v1/workspaces/:workspaceId/theme-templates", {
      path: { workspaceId },
      body: { name, theme },
    });
    await refresh(keyOf(workspaceId));
    onClose();
    toast(words.kept({ name }));
  };
  return (
    <NameDialog
      title={words.keepTitle}
      text={words.keepText}
      label={words.name}
      value={botName}
      action={words.save}
      send={keep}
      onClose={onClose}
    />
  );
}

function TakeTheme({ bot, onClose }: OfBot) {
  const words = useWords(themeWords);
  const { workspaceId } = bot.bot.value;
  const key = keyOf(workspaceId);
  const query = useQuery(key, () => readThemes(workspaceId));
  const [removing, setRemoving] = useState<Named>();
  const take = ({ name, theme }: Named & { readonly theme: JsonObject }) => {
    const done = bot.editor.run(replaceTheme, { theme, from: name });
    onClose();
    toast(done.kind === "refused" ? done.sentence : words.taken({ name }));
  };
  const takeOf = async ({ id, name }: Named) => {
    const { bot: other } = await call("GET /api/v1/bots/:botId", { path: { botId: id } });
    take({ id, name, theme: isJsonObject(other.theme) ? other.theme : {} });
  };
  return (
    <Dialog title={words.takeTitle} text={words.takeText} onClose={onClose}>
      <QueryState query={query}>
        {({ templates, bots }) => {
          const others = bots.filter(({ id }) => id !== bot.id);
          return (
            <div class="themes">
              <h3>{words.builtIn}</h3>
              <ul>
                <li>
                  <button
                    type="button"
                    class="themes-one"
                    onClick={() => take({ id: "clear", name: words.clear, theme: clearTheme })}
                  >
                    <ThemeSwatch theme={clearTheme} />
                    <span>{words.clear}</span>
                  </button>
                </li>
              </ul>
              <h3>{words.templates}</h3>
              {templates.length === 0 && <p class="look-hint">{words.noTemplates}</p>}
              <ul>
                {templates.map((template) => (
                  <li key={template.id}>
                    <button type="button" class="themes-one" onClick={() => take(template)}>
                      <ThemeSwatch theme={template.theme} />
                      <span dir="auto">{template.name}</span>
                    </button>
                    <IconButton
                      icon="trash-2"
                      size="s"
                      label={words.remove({ name: template.name })}
                      onPress={() => setRemoving(template)}
                    />
                  </li>
                ))}
              </ul>
              <h3>{words.fromBots}</h3>
              {others.length === 0 && <p class="look-hint">{words.noBots}</p>}
              <ul>
                {others.map((other) => (
                  <li key={other.id}>
                    <button type="button" class="themes-one" onClick={() => void takeOf(other)}>
                      <span aria-hidden="true">{other.icon ?? "💬"}</span>
                      <span dir="auto">{other.name}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          );
        }}
      </QueryState>
      {removing && (
        <ConfirmDialog
          title={`${words.remove({ name: removing.name })}?`}
          text={words.removeText}
          action={words.remove({ name: removing.name })}
          isDanger
          onConfirm={async () => {
            const path = { workspaceId, themeTemplateId: removing.id };
            await call("DELETE /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId", { path });
            await refresh(key);
            toast(words.removed({ name: removing.name }));
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Dialog>
  );
}

type Named = { readonly id: string; readonly name: string };

async function readThemes(workspaceId: string) {
  const [templates, bots] = await Promise.all([
    allPages(
      (page) => call("GET /api/v1/workspaces/:workspaceId/theme-templates", { path: { workspaceId }, query: page }),
      (answer) => answer.themeTemplates,
    ),
    allPages(
      (page) => call("GET /api/v1/bots", { query: { workspaceId, ...page } }),
      (answer) => answer.bots,
    ),
  ]);
  return { templates, bots };
}

/** A decorative thumbnail of a theme: a message of the bot, an answer, and a button on the theme's background. */
function ThemeSwatch({ theme }: { readonly theme: unknown }) {
  const colors = defaultColors["6.1"];
  const isPlain = (textAt(theme, "general", "background", "type") ?? "Color") === "Color";
  const background = (isPlain && textAt(theme, "general", "background", "content")) || colors.background;
  const of = (box: "hostBubbles" | "guestBubbles" | "buttons") =>
    textAt(theme, "chat", box, "backgroundColor") || colors[box].backgroundColor;
  return (
    <span class="theme-swatch" style={{ backgroundColor: background }} aria-hidden="true">
      <span style={{ backgroundColor: of("hostBubbles") }} />
      <span class="is-guest" style={{ backgroundColor: of("guestBubbles") }} />
      <span class="is-button" style={{ backgroundColor: of("buttons") }} />
    </span>
  );
}
