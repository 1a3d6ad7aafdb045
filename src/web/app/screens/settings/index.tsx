import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { parseLanguage } from "../../../conversation/language.ts";
import { loadWords } from "../../../conversation/languages/index.ts";
import { textAt } from "../../../conversation/read.ts";
import { EditingFrame } from "../../bot-bar/editing-frame.tsx";
import { WithOpenBot } from "../../bot-bar/open-bot.tsx";
import { partOf } from "../../editor/commands/look.ts";
import type { OpenBot } from "../../editor/index.ts";
import { useFlowSchemas } from "../../forms/reading.ts";
import { Link, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { SamplePage, type Shown } from "../../sample-page/index.tsx";
import { Skeleton } from "../../ui/index.ts";
import settingsWords from "../../words/en/settings.json";
import { useWords } from "../../words/index.ts";
import { LookFindings } from "../look-findings.tsx";
import { LookForm, useLookContext } from "../look-form.tsx";
import { Messengers } from "./messengers.tsx";
import { Availability, Danger, SocialCard } from "./parts.tsx";
import { type SectionName, sectionNamed, sectionNames, sections, shownFor } from "./sections.ts";
import { type PageWords, schemaOfSettings } from "./settings-schema.ts";
import "../look.css";
import "./settings.css";

/** Edits the settings of a bot in forms, with the real chat page beside them. */
export default function SettingsScreen({ params: { botId = "" } }: ScreenProps) {
  return (
    <WithOpenBot botId={botId}>
      {(bot, onReopen) => (
        <EditingFrame bot={bot} part="settings" onReopen={onReopen}>
          <Settings bot={bot} />
        </EditingFrame>
      )}
    </WithOpenBot>
  );
}

function Settings({ bot }: { readonly bot: OpenBot }) {
  const words = useWords(settingsWords);
  const section = sectionNamed(route.value.query.get("part"));
  const [shown, setShown] = useState<Shown>(shownFor(section));
  const [scheme, setScheme] = useState<"light" | "dark">("light");
  const name = words.sections[section];
  useEffect(() => {
    document.title = `${name} · ${words.title} · Parley`;
  }, [name, words.title]);
  const address = (next: SectionName) => `/bots/${bot.id}/settings${next === "general" ? "" : `?part=${next}`}`;
  return (
    <div class="look">
      <nav class="look-nav" aria-label={words.parts}>
        {sectionNames.map((one) => (
          <Link key={one} to={address(one)} isCurrent={one === section} onFollow={() => setShown(shownFor(one))}>
            {words.sections[one]}
          </Link>
        ))}
      </nav>
      <section class="look-form" aria-labelledby="look-title">
        <header>
          <h1 id="look-title" class="look-title">
            {name}
          </h1>
          {words.texts[section] !== "" && <p class="look-hint">{words.texts[section]}</p>}
        </header>
        <LookFindings bot={bot} of="settings" />
        {section === "availability" && <Availability bot={bot} />}
        {section === "messengers" && <Messengers bot={bot} />}
        <SectionForms key={section} bot={bot} section={section} />
        {section === "metadata" && <SocialCard bot={bot} />}
        {section === "danger" && <Danger bot={bot} />}
      </section>
      <SamplePage bot={bot} shown={shown} onShow={setShown} scheme={scheme} onScheme={setScheme} />
    </div>
  );
}

function SectionForms({ bot, section }: { readonly bot: OpenBot; readonly section: SectionName }) {
  const schemas = useFlowSchemas();
  const context = useLookContext(bot, "settings");
  const settings = useComputed(() => partOf(bot.editor.store.draft.value, "settings")).value;
  const pageWords = usePageWords(textAt(settings, "general", "language"));
  const schema = useMemo(() => schemas && schemaOfSettings(schemas.settings, pageWords), [schemas, pageWords]);
  if (!schema) return <Skeleton rows={6} />;
  return (
    <>
      {sections[section].map((part) => (
        <LookForm
          key={part.at.join(".")}
          {...({ bot, of: "settings", schema, value: settings, context, ...part } as const)}
        />
      ))}
    </>
  );
}

const english: PageWords = {};

/**
 * Returns the chat page's texts in the bot's language. Without a language, and until the texts are loaded, returns the
 * English texts of the schemas.
 */
function usePageWords(language: string | undefined): PageWords {
  const [words, setWords] = useState(english);
  useEffect(() => {
    let isOld = false;
    const lang = parseLanguage(language ?? "")?.lang;
    if (lang === undefined) setWords(english);
    else void loadWords(lang).then((loaded) => !isOld && setWords(loaded));
    return () => {
      isOld = true;
    };
  }, [language]);
  return words;
}
