import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api/index.ts";
import { refusedToast } from "../page-parts/submit.ts";
import { Banner, Button, Checkbox } from "../ui/index.ts";
import credentialsWords from "../words/en/credentials.json";
import { useWords } from "../words/index.ts";
import { onConnection } from "./connection.ts";

type ConnectProps = {
  readonly workspaceId: string;
  readonly type: string;
  readonly name: string;
  readonly account: unknown;
  readonly isAgain: boolean;
  readonly saveFirst: (() => Promise<string>) | undefined;
  readonly onConnected: (id: string) => Promise<void>;
};

/** A button that opens Google's consent page in another tab, and continues when the account is connected there. */
export function ConnectGoogle({ workspaceId, type, name, account, isAgain, saveFirst, onConnected }: ConnectProps) {
  const words = useWords(credentialsWords);
  const [problem, setProblem] = useState<string>();
  const [isWaiting, setWaiting] = useState(false);
  const [hasLabels, setLabels] = useState(false);
  const state = useRef<string | undefined>(undefined);
  const done = useRef(onConnected);
  done.current = onConnected;
  useEffect(
    () =>
      onConnection((connected) => {
        if (connected.state !== state.current) return;
        setWaiting(false);
        setProblem(connected.problem);
        if (connected.credentialsId !== undefined) void done.current(connected.credentialsId);
      }),
    [],
  );
  const connect = async () => {
    // Browsers only allow opening a tab during a press, so the tab is opened before the request.
    const tab = window.open("about:blank", "_blank");
    setProblem(undefined);
    try {
      const credentialsId = await saveFirst?.();
      const { url } = await call("POST /api/v1/workspaces/:workspaceId/credentials/google/authorize", {
        path: { workspaceId },
        body: {
          ...(type === "gmail" ? ({ for: "gmail", hasLabels } as const) : ({ for: "google sheets" } as const)),
          ...{ name, ...(credentialsId && { credentialsId }) },
        },
      });
      state.current = new URL(url).searchParams.get("state") ?? undefined;
      setWaiting(true);
      if (!tab) return setProblem(words.noTab);
      // Prevents Google's page from accessing this page.
      tab.opener = null;
      tab.location.href = url;
    } catch (cause) {
      tab?.close();
      refusedToast(cause);
    }
  };
  const connectedTo = typeof account === "string" ? account : undefined;
  const label = isAgain || connectedTo !== undefined ? words.connectAgain : words.connect;
  return (
    <div class="app-field">
      {connectedTo !== undefined && <Banner text={words.connectedAs({ account: connectedTo })} tone="good" />}
      {isWaiting && <Banner text={words.waiting} />}
      {problem !== undefined && <Banner text={problem} tone="warning" isAlert />}
      {type === "gmail" && (
        <Checkbox label={words.labels} help={words.labelsHelp} isChecked={hasLabels} onChange={setLabels} />
      )}
      <Button label={label} icon="external-link" onPress={() => void connect()} />
      <p class="app-field-help">{type === "gmail" ? words.connectHelp : words.connectSheetsHelp}</p>
    </div>
  );
}
