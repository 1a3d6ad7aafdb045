/** @jsxImportSource preact */
import { type ComponentChildren, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Mark, PhoneButton, PhoneMessage, Shown } from "./screen.ts";

type Facts = {
  readonly telegramUrl: string;
  readonly token: string;
  readonly ownUrl: string;
  readonly people: readonly { readonly id: number; readonly firstName: string }[];
};

type Messenger = "telegram" | "own";

const everyMs = 300;

/** A scrolling element must be focusable by keyboard. */
const reached = { tabIndex: 0 };

function Phone({ facts }: { readonly facts: Facts }) {
  const [messenger, setMessenger] = useState<Messenger>("telegram");
  const [person, setPerson] = useState(facts.people[0]?.id ?? 0);
  const [shown, setShown] = useState<Shown>({ messages: [], isWriting: false });
  const [failure, setFailure] = useState<string>();
  const [words, setWords] = useState("");
  const log = useRef<HTMLOListElement>(null);
  const place = { messenger, person };

  useEffect(() => {
    let isHere = true;
    const look = async () => {
      const answer = await fetch(`/shown?messenger=${messenger}&person=${person}`).catch(() => undefined);
      if (!isHere) return;
      if (answer?.ok) setShown(await answer.json());
      else setFailure("The program with the fake messengers has ended.");
      setTimeout(() => void look(), everyMs);
    };
    setShown({ messages: [], isWriting: false });
    void look();
    return () => {
      isHere = false;
    };
  }, [messenger, person]);
  useEffect(() => log.current?.lastElementChild?.scrollIntoView({ block: "end" }), [shown.messages.length]);

  const send = async (path: string, body: object) => {
    setFailure(undefined);
    const answer = await fetch(path, { method: "POST", body: JSON.stringify({ ...place, ...body }) });
    if (!answer.ok) setFailure((await answer.json()).message);
  };
  const write = async (text: string) => {
    if (text.trim() === "") return;
    setWords("");
    await send("/write", { text });
  };
  const press = (message: PhoneMessage, button: PhoneButton) => {
    if (button.url === undefined) void send("/press", { messageId: message.id, button });
    else window.open(button.url, "_blank", "noopener");
  };
  return (
    <>
      <aside>
        <h1>A phone with fake messengers</h1>
        <Choice
          label="Messenger"
          value={messenger}
          options={[
            ["telegram", "Telegram"],
            ["own", "Your own messenger"],
          ]}
          onChange={(value) => setMessenger(value === "own" ? "own" : "telegram")}
        />
        <Choice
          label="Who holds the phone"
          value={String(person)}
          options={facts.people.map(({ id, firstName }) => [String(id), firstName])}
          onChange={(value) => setPerson(Number(value))}
        />
        {messenger === "telegram" ? (
          <TelegramHelp facts={facts} />
        ) : (
          <OwnHelp facts={facts} onSave={(body) => void send("/own", body)} />
        )}
      </aside>
      <main class="phone" aria-label="Phone">
        <header>{messenger === "telegram" ? "@fake_tea_bot" : "Your own messenger"}</header>
        <section class="chat" role="log" aria-label="Chat" {...reached}>
          <ol ref={log}>
            {shown.messages.map((message) => (
              <Message key={message.id} message={message} onPress={(button) => press(message, button)} />
            ))}
          </ol>
        </section>
        {shown.draft !== undefined && <p class="draft">{shown.draft || "Thinking …"}</p>}
        {shown.isWriting && <p class="writing">writing …</p>}
        {shown.notice && <Notice key={shown.notice.number} text={shown.notice.text} />}
        {failure !== undefined && <p role="alert">{failure}</p>}
        {messenger === "telegram" && shown.messages.length === 0 && (
          <button type="button" class="start" onClick={() => void write("/start")}>
            Start
          </button>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void write(words);
          }}
        >
          <input
            aria-label="Message"
            placeholder="Message"
            autocomplete="off"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <button type="submit">Send</button>
        </form>
      </main>
    </>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
};

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function TelegramHelp({ facts }: { readonly facts: Facts }) {
  return (
    <ol class="steps">
      <li>
        Start Parley in a second terminal:
        <code>TELEGRAM_API_URL={facts.telegramUrl} npm start</code>
      </li>
      <li>
        In the builder connect Telegram with this token, in place of one from @BotFather:
        <code>{facts.token}</code>
      </li>
      <li>Choose a bot for the connection, and write to it here.</li>
    </ol>
  );
}

function OwnHelp({ facts, onSave }: { readonly facts: Facts; readonly onSave: (body: object) => void }) {
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLFormElement) onSave(Object.fromEntries(new FormData(event.currentTarget)));
  };
  return (
    <>
      <ol class="steps">
        <li>
          Start Parley in a second terminal:
          <code>OUTGOING_ALLOW={new URL(facts.ownUrl).host} npm start</code>
        </li>
        <li>
          In the builder connect your own messenger with this address:
          <code>{facts.ownUrl}</code>
        </li>
        <li>Copy here what the connection shows.</li>
      </ol>
      <form class="own" onSubmit={save}>
        <label>
          Address for the messenger’s calls
          <input name="webhookUrl" type="url" required autocomplete="off" />
        </label>
        <label>
          Secret
          <input name="secret" required autocomplete="off" />
        </label>
        <button type="submit">Use them</button>
      </form>
    </>
  );
}

function Notice({ text }: { readonly text: string }) {
  const [isThere, setThere] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setThere(false), 4_000);
    return () => clearTimeout(timer);
  }, []);
  return isThere ? (
    <p class="notice" role="status">
      {text}
    </p>
  ) : null;
}

type MessageProps = { readonly message: PhoneMessage; readonly onPress: (button: PhoneButton) => void };

function Message({ message: { isMine, text, marks, media, buttons }, onPress }: MessageProps) {
  return (
    <li class={isMine ? "mine" : "said"}>
      <div class="bubble">
        {media && <Media {...media} />}
        {text !== "" && <p>{marked(text, marks)}</p>}
      </div>
      {buttons.map((row, index) => (
        <div key={index} class="row">
          {row.map((button, at) => (
            <button key={at} type="button" onClick={() => onPress(button)}>
              {button.title}
            </button>
          ))}
        </div>
      ))}
    </li>
  );
}

function Media({ kind, url }: NonNullable<PhoneMessage["media"]>) {
  // Files that were sent as bytes have no URL that this page can show.
  if (!/^https?:/.test(url)) return <p>[{kind}]</p>;
  if (kind === "image") return <img src={url} alt="" />;
  if (kind === "file") {
    return (
      <a href={url} target="_blank" rel="noopener">
        {url}
      </a>
    );
  }
  const Player = kind === "video" ? "video" : "audio";
  return <Player src={url} controls />;
}

const elements: Readonly<Record<string, "strong" | "em" | "u" | "s" | "code" | "pre" | "q">> = {
  ...{ bold: "strong", italic: "em", underline: "u", strikethrough: "s", strike: "s", code: "code", pre: "pre" },
  ...{ blockquote: "q", quote: "q" },
};

/** Renders a text with its marks. Outer marks enclose inner marks. */
function marked(text: string, marks: readonly Mark[]): ComponentChildren {
  const [mark, ...inner] = marks.toSorted((a, b) => a.offset - b.offset || b.length - a.length);
  if (!mark) return text;
  const end = mark.offset + mark.length;
  const within = inner
    .filter(({ offset }) => offset < end)
    .map((one) => ({ ...one, offset: one.offset - mark.offset }));
  const after = inner.filter(({ offset }) => offset >= end).map((one) => ({ ...one, offset: one.offset - end }));
  const words = marked(text.slice(mark.offset, end), within);
  const Element = elements[mark.type] ?? "span";
  return (
    <>
      {text.slice(0, mark.offset)}
      {mark.url === undefined ? <Element>{words}</Element> : <a href={mark.url}>{words}</a>}
      {marked(text.slice(end), after)}
    </>
  );
}

render(<Phone facts={JSON.parse(document.querySelector("#facts")?.textContent ?? "")} />, document.body);
