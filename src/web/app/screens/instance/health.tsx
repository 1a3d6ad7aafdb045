import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ApiFailure, call, isRecord, refresh, useQuery } from "../../api/index.ts";
import { Part } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { servicePage, useInstance } from "../../session/service-pages.ts";
import type { Instance } from "../../session/session.ts";
import { Badge, Button, Icon, type Tone } from "../../ui/index.ts";
import instanceWords from "../../words/en/instance.json";
import { useWords, type WordsOf } from "../../words/index.ts";
import "./instance.css";

/** Shows the state of the service, its version, and links to its other pages. */
export function Health() {
  const words = useWords(instanceWords);
  const instance = useInstance();
  const has = instance.value?.has;
  return (
    <>
      <Part
        title={words.health}
        text={words.healthText}
        action={<Button label={words.lookAgain} icon="refresh-cw" onPress={() => void refresh(readyKey)} />}
      >
        <ul class="instance-checks">
          <Readiness />
          <Storage />
          {has && (
            <>
              <Check title={words.mail} text={words.mailText} {...setUp(has.mail, words)} />
              <Check title={words.encryption} text={words.encryptionText} {...setUp(has.encryption, words)} />
            </>
          )}
        </ul>
      </Part>
      <Part title={words.about}>
        <QueryState query={instance}>
          {(known) => (
            <>
              <dl class="instance-facts">
                {factsOf(known, words).map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <ul class="instance-pages">
                <PageLink address={servicePage(known, "/docs")} title={words.documentation}>
                  {words.documentationText}
                </PageLink>
                <PageLink address={servicePage(known, "/admin/queues")} title={words.board}>
                  {words.boardText}
                </PageLink>
              </ul>
            </>
          )}
        </QueryState>
      </Part>
    </>
  );
}

type Verdict = { readonly tone: Tone; readonly verdict: string; readonly detail?: string | undefined };

function Check({
  title,
  text,
  tone,
  verdict,
  detail,
  action,
}: Verdict & { readonly title: string; readonly text: string; readonly action?: ComponentChildren }) {
  return (
    <li>
      <div class="instance-check-words">
        <strong>{title}</strong>
        <p>{text}</p>
        {detail !== undefined && <p class="instance-check-detail">{detail}</p>}
      </div>
      {action}
      <span role="status">
        <Badge
          label={verdict}
          tone={tone}
          icon={tone === "good" ? "circle-check" : tone === "danger" ? "circle-alert" : undefined}
        />
      </span>
    </li>
  );
}

const readyKey = "instance-ready";

/** Shows whether the service can serve chats. If it cannot, it still responds and reports the failed check. */
function Readiness() {
  const words = useWords(instanceWords);
  const { value, failure, isLoading } = useQuery(readyKey, () => call("GET /api/readyz"));
  const verdict: Verdict = isLoading
    ? { tone: "neutral", verdict: words.looking }
    : failure
      ? { tone: "danger", verdict: words.fails, detail: whyOf(failure) }
      : { tone: value ? "good" : "neutral", verdict: value ? words.works : words.looking };
  return <Check title={words.requests} text={words.requestsText} {...verdict} />;
}

function Storage() {
  const words = useWords(instanceWords);
  const [isBusy, setBusy] = useState(false);
  const [verdict, setVerdict] = useState<Verdict>({ tone: "neutral", verdict: words.notTried });
  const tryOut = async () => {
    setBusy(true);
    try {
      await call("POST /api/v1/storage/check", {});
      setVerdict({ tone: "good", verdict: words.works });
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setVerdict({ tone: "danger", verdict: words.fails, detail: whyOf(cause) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Check
      title={words.storage}
      text={words.storageText}
      {...verdict}
      action={<Button label={words.tryOut} size="s" busy={isBusy} onPress={() => void tryOut()} />}
    />
  );
}

/** Returns the message of a failure, with the details that the service sent. */
function whyOf({ message, data }: ApiFailure): string {
  const further = isRecord(data) ? Object.values(data).filter((value) => typeof value === "string") : [];
  return [message, ...further].join(" ");
}

function setUp(isSetUp: boolean, words: WordsOf<"instance">): Verdict {
  return isSetUp ? { tone: "good", verdict: words.setUp } : { tone: "neutral", verdict: words.notSetUp };
}

function factsOf({ version, addresses, signIn, bounds }: Instance, words: WordsOf<"instance">) {
  return [
    [words.version, version],
    [words.addressOfApi, addresses.api],
    [words.addressOfBuilder, addresses.app ?? words.none],
    [words.addressOfChats, addresses.chat],
    [words.waysIn, signIn.methods.map((method) => words.ways[method]).join(", ")],
    [words.signUp, words.signUps[signIn.signUp]],
    [words.upload, `${bounds.uploadMegabytes} MB`],
  ] as const;
}

type PageLinkProps = { readonly address: string; readonly title: string; readonly children: ComponentChildren };

function PageLink({ address, title, children }: PageLinkProps) {
  return (
    <li>
      <a href={address} target="_blank" rel="noopener">
        {title} <Icon name="external-link" size={14} />
      </a>
      <p>{children}</p>
    </li>
  );
}
