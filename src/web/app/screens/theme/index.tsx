import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { readTheme } from "../../../../core/theme/stored-theme.ts";
import { isObject } from "../../../conversation/read.ts";
import { mayBeDark } from "../../../conversation/theme/theme.ts";
import { EditingFrame } from "../../bot-bar/editing-frame.tsx";
import { WithOpenBot } from "../../bot-bar/open-bot.tsx";
import { partOf, setInPart } from "../../editor/commands/look.ts";
import type { OpenBot } from "../../editor/index.ts";
import { useFlowSchemas } from "../../forms/reading.ts";
import { go, Link, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { SamplePage, type Shown } from "../../sample-page/index.tsx";
import { announce, Banner, Button, Skeleton } from "../../ui/index.ts";
import themeWords from "../../words/en/theme.json";
import { useWords } from "../../words/index.ts";
import { LookFindings } from "../look-findings.tsx";
import { LookForm, useLookContext } from "../look-form.tsx";
import { LookSection } from "./look-section.tsx";
import {
  lookParts,
  type SectionName,
  sectionNamed,
  sectionNames,
  sectionOfPart,
  sections,
  shownFor,
} from "./sections.ts";
import { Themes } from "./take-theme.tsx";
import { schemaOfTheme } from "./theme-schema.ts";
import "../look.css";

/** Edits the theme of a bot in forms, with the real chat page beside them. */
export default function ThemeScreen({ params: { botId = "" } }: ScreenProps) {
  return (
    <WithOpenBot botId={botId}>
      {(bot, onReopen) => (
        <EditingFrame bot={bot} part="theme" onReopen={onReopen}>
          <Theme bot={bot} />
        </EditingFrame>
      )}
    </WithOpenBot>
  );
}

function Theme({ bot }: { readonly bot: OpenBot }) {
  const words = useWords(themeWords);
  const section = sectionNamed(route.value.query.get("part"));
  const [shown, setShown] = useState<Shown>(() => shownFor(section, "conversation"));
  const [scheme, setScheme] = useState<"light" | "dark">("light");
  const name = words.sections[section];
  useEffect(() => {
    document.title = `${name} · ${words.title} · Parley`;
  }, [name, words.title]);
  const address = (next: SectionName) => `/bots/${bot.id}/theme${next === "look" ? "" : `?part=${next}`}`;
  const open = (next: SectionName) => {
    if (next === section) return;
    go(address(next), { isReplacing: true });
    announce(words.opened({ section: words.sections[next] }));
  };
  return (
    <div class="look">
      <nav class="look-nav" aria-label={words.parts}>
        {sectionNames.map((one) => (
          <Link key={one} to={address(one)} isCurrent={one === section} onFollow={() => setShown(shownFor(one, shown))}>
            {words.sections[one]}
          </Link>
        ))}
      </nav>
      <section class="look-form" aria-labelledby="look-title">
        <header class="look-head">
          <div>
            <h1 id="look-title">{name}</h1>
            <p class="look-hint">{words.pressHint}</p>
          </div>
          <Themes bot={bot} />
        </header>
        {scheme === "dark" && <OnDark bot={bot} />}
        <LookFindings bot={bot} of="theme" />
        {section === "look" && <LookSection bot={bot} />}
        <SectionForms key={`${section} ${scheme}`} bot={bot} section={section} isDark={scheme === "dark"} />
      </section>
      <SamplePage
        bot={bot}
        shown={shown}
        onShow={setShown}
        scheme={scheme}
        onScheme={setScheme}
        onPart={(part) => open(sectionOfPart(part))}
      />
    </div>
  );
}

type SectionFormsProps = { readonly bot: OpenBot; readonly section: SectionName; readonly isDark: boolean };

function SectionForms({ bot, section, isDark }: SectionFormsProps) {
  const schemas = useFlowSchemas();
  const context = useLookContext(bot, "theme");
  const theme = useComputed(() => partOf(bot.editor.store.draft.value, "theme")).value;
  const version = useComputed(() => bot.editor.store.draft.value.version).value;
  const schema = useMemo(
    () => schemas && schemaOfTheme(schemas.theme, { theme, version }),
    [schemas, isDark && theme, version],
  );
  if (!schema) return <Skeleton rows={6} />;
  const base = isDark ? ["dark"] : [];
  return (
    <>
      {(section === "look" ? lookParts : sections[section]).map(({ at, ...fields }) => (
        <LookForm
          key={at.join(".")}
          {...({ bot, of: "theme", schema, value: theme, context, at: [...base, ...at], ...fields } as const)}
        />
      ))}
    </>
  );
}

/** The settings for dark mode, with a button that removes them. */
function OnDark({ bot: { editor } }: { readonly bot: OpenBot }) {
  const words = useWords(themeWords);
  const theme = useComputed(() => partOf(editor.store.draft.value, "theme")).value;
  const hasDark = isObject(theme["dark"]);
  const isDarkByItself = useMemo(() => mayBeDark(readTheme(theme)), [theme]);
  return (
    <Banner
      text={hasDark ? words.darkText : isDarkByItself ? words.darkOwn : words.darkNone}
      title={words.darkTitle}
      action={
        hasDark &&
        editor.readOnly.value === undefined && (
          <Button
            label={words.darkRemove}
            size="s"
            onPress={() => editor.run(setInPart, { of: "theme", path: ["dark"], title: words.darkTitle })}
          />
        )
      }
    />
  );
}
