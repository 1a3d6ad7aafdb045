import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiFailure, call, useQuery } from "../../api/index.ts";
import { contactAddress } from "../../page-parts/channels/contact-address.ts";
import { NameDialog } from "../../page-parts/form-dialog.tsx";
import { QrCode } from "../../page-parts/qr-code.tsx";
import { copyText } from "../../page-parts/save-and-copy.ts";
import { Secret } from "../../page-parts/secret.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { go } from "../../routing/router.ts";
import { Banner, Button, Dialog, Icon, TextField, toast } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { DeleteConnection } from "./channels.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";
import { type Check, type Connection, one } from "./service.ts";
import { ConnectionState } from "./state-badge.tsx";

export type ConnectionProps = {
  readonly workspaceId: string;
  readonly connection: Connection;
  readonly isAdmin: boolean;
  readonly onChanged: () => Promise<void>;
};

type Asking = "rename" | "rotate" | "delete" | { readonly secrets: readonly string[] };

/** The interval in ms in which this page checks for the first message. */
const lookMs = 3_000;

/** Shows whether the connection works, the account's address for contacts, and the available actions. */
export function Overview({ workspaceId, connection, isAdmin, onChanged }: ConnectionProps) {
  const shared = useWords();
  const words = useWords(channelWords);
  const [asking, setAsking] = useState<Asking>();
  const [busy, setBusy] = useState<"turn" | "register">();
  const [problem, setProblem] = useState<string>();
  const path = { workspaceId, connectionId: connection.id };
  const address = contactAddress(connection);
  const isFirstAwaited = connection.isEnabled && connection.lastInboundAt === null;
  useEffect(() => {
    if (!isFirstAwaited) return undefined;
    const timer = setInterval(() => void onChanged(), lookMs);
    return () => clearInterval(timer);
  }, [isFirstAwaited, connection.id]);
  const act = async (what: "turn" | "register", send: () => Promise<unknown>) => {
    setBusy(what);
    setProblem(undefined);
    try {
      await send();
      await onChanged();
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setProblem(cause.message);
    } finally {
      setBusy(undefined);
    }
  };
  const turn = () =>
    act("turn", () =>
      connection.isEnabled ? call(`POST ${one}/disable`, { path }) : call(`POST ${one}/enable`, { path }),
    );
  // The service itself sends the secret to Telegram. An author's own server must be configured with its secret by hand.
  const rotated = async (secrets: readonly string[]) => {
    await onChanged();
    setAsking(connection.channel === "webhook" ? { secrets } : undefined);
    if (connection.channel !== "webhook") toast(shared.saved);
  };
  const reason = reasonOf(connection, words);
  return (
    <>
      <Part
        title={words.state}
        action={
          isAdmin && (
            <Button
              label={connection.isEnabled ? words.disable : words.enable}
              kind={connection.isEnabled ? "plain" : "primary"}
              busy={busy === "turn"}
              onPress={() => void turn()}
            />
          )
        }
      >
        <p class="channel-state">
          <ConnectionState connection={connection} /> {reason}
        </p>
        {problem !== undefined && <Banner text={problem} tone="danger" isAlert />}
        {connection.pausedUntil !== null && (
          <Banner text={words.paused({ when: timeText(connection.pausedUntil) })} tone="warning" />
        )}
        <Checklist
          {...{ workspaceId, connection, isAdmin }}
          onRegister={() => act("register", () => call(`POST ${one}/register`, { path }))}
          isRegistering={busy === "register"}
        />
      </Part>
      {address !== undefined && (
        <Part title={words.meet} text={words.meetText}>
          <div class="channel-address">
            <TextField label={words.address} value={address} isReadOnly isMono />
            <Button label={shared.copy} icon="copy" onPress={() => void copyText(address, shared.copied)} />
          </div>
          <QrCode text={address} fileName={`${connection.display ?? connection.name}.svg`} />
        </Part>
      )}
      <Webhook {...{ workspaceId, connection }} />
      {isAdmin && (
        <Part title={words.more} text={words.moreText}>
          <div class="channel-acts">
            <Button label={words.rename} icon="pencil" onPress={() => setAsking("rename")} />
            <Button label={words.rotate} icon="refresh-cw" onPress={() => setAsking("rotate")} />
            <Button label={words.delete} icon="trash-2" kind="danger" onPress={() => setAsking("delete")} />
          </div>
        </Part>
      )}
      {asking === "rename" && (
        <NameDialog
          title={words.rename}
          action={shared.save}
          label={shared.name}
          value={connection.name}
          send={async (name) => {
            await call(`PATCH ${one}`, { path, body: { name } });
            await onChanged();
            setAsking(undefined);
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === "rotate" && (
        <RotateDialog {...{ workspaceId, connection }} onRotated={rotated} onClose={() => setAsking(undefined)} />
      )}
      {typeof asking === "object" && (
        <Dialog
          title={words.secretsTitle}
          isDismissable={false}
          onClose={() => setAsking(undefined)}
          actions={<Button label={shared.done} kind="primary" onPress={() => setAsking(undefined)} />}
        >
          {asking.secrets.map((value) => (
            <Secret key={value} text={words.secretShown} value={value} />
          ))}
        </Dialog>
      )}
      {asking === "delete" && (
        <DeleteConnection
          {...{ workspaceId, connection }}
          onDeleted={() => go(`/w/${workspaceId}/settings/channels`)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

type ChecklistProps = Pick<ConnectionProps, "workspaceId" | "connection" | "isAdmin"> & {
  readonly onRegister: () => Promise<void>;
  readonly isRegistering: boolean;
};

/** The steps from the secrets to the first message. Each step is complete, pending, or failed with advice. */
function Checklist({ workspaceId, connection, isAdmin, onRegister, isRegistering }: ChecklistProps) {
  const words = useWords(channelWords);
  const path = { workspaceId, connectionId: connection.id };
  const query = useQuery(`channel-check/${connection.id}/${connection.updatedAt}`, () =>
    call(`POST ${one}/check`, { path }),
  );
  const check: Check = query.value?.check ?? [];
  const isBotThere = connection.bots.some(({ isEnabled }) => isEnabled);
  return (
    <>
      <ol class="channel-checks" aria-label={words.checklist}>
        {check.map(({ name, state, detail, advice }) => (
          <Point key={name} state={state} title={words.points[name]}>
            {state === "wrong" && (
              <>
                {advice ?? detail}
                {isAdmin && name === "webhook" && (
                  <Button
                    label={words.register}
                    size="s"
                    icon="refresh-cw"
                    busy={isRegistering}
                    onPress={() => void onRegister().then(query.again)}
                  />
                )}
              </>
            )}
          </Point>
        ))}
        <Point state={isBotThere ? "ok" : "unknown"} title={words.pointBot}>
          {!isBotThere && (
            <>
              {words.pointBotText}
              <Button
                label={words.bots}
                size="s"
                icon="arrow-right"
                onPress={() => go(`/w/${workspaceId}/channels/${connection.id}/bots`)}
              />
            </>
          )}
        </Point>
        <Point state={connection.lastInboundAt === null ? "unknown" : "ok"} title={words.pointMessage}>
          {connection.lastInboundAt === null
            ? words.pointMessageText({ name: connection.display ?? connection.name })
            : whenText(connection.lastInboundAt)}
        </Point>
      </ol>
      {query.failure && <Banner text={query.failure.message} tone="warning" />}
      <Button label={words.check} icon="refresh-cw" busy={query.isLoading} onPress={() => void query.again()} />
    </>
  );
}

type PointProps = {
  readonly state: "ok" | "wrong" | "unknown";
  readonly title: string;
  readonly children?: ComponentChildren;
};

const icons = { ok: "circle-check", wrong: "triangle-alert", unknown: "clock" } as const;

function Point({ state, title, children }: PointProps) {
  const words = useWords(channelWords);
  return (
    <li class={`channel-point is-${state}`}>
      <Icon name={icons[state]} size={18} />
      <div>
        <strong>{title}</strong> <span class="visually-hidden">{words.states[state]}</span>
        <div class="channel-point-text">{children}</div>
      </div>
    </li>
  );
}

/**
 * Shows the URL that the messenger calls, the time of the last call, and the refused calls. A polled messenger has no
 * URL.
 */
function Webhook({ workspaceId, connection }: Pick<ConnectionProps, "workspaceId" | "connection">) {
  const shared = useWords();
  const words = useWords(channelWords);
  const path = { workspaceId, connectionId: connection.id };
  const query = useQuery(`channel-webhook/${connection.id}`, () => call(`GET ${one}/webhook`, { path }));
  const webhook = query.value?.webhook;
  if (!webhook) return null;
  const { url, lastCallAt, refusedCalls, refusedAt, refusedWhy } = webhook;
  if (url === null) {
    return (
      <Part title={words.webhook}>
        <p>{words.polled}</p>
      </Part>
    );
  }
  return (
    <Part title={words.webhook}>
      <div class="channel-address">
        <TextField label={words.webhookAddress} value={url} isReadOnly isMono />
        <Button label={shared.copy} icon="copy" onPress={() => void copyText(url, shared.copied)} />
      </div>
      <p>{lastCallAt === null ? words.neverCalled : words.lastCall({ when: whenText(lastCallAt) })}</p>
      {refusedCalls > 0 && refusedAt !== null && (
        <Banner
          tone="warning"
          title={words.refusedCalls({ count: refusedCalls })}
          text={`${whenText(refusedAt)}: ${refusedWhy ?? ""}`}
        />
      )}
    </Part>
  );
}

function reasonOf({ isEnabled, disabledReason }: Connection, words: ReturnType<typeof useWords<"channels">>): string {
  if (isEnabled || disabledReason === null) return "";
  const reasons: Readonly<Record<string, string>> = words.reasons;
  return reasons[disabledReason] ?? "";
}
