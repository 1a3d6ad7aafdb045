import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiFailure, call } from "../../api/index.ts";
import { NameForm } from "../../page-parts/form-dialog.tsx";
import { SignInForm } from "../../page-parts/sign-in-form.tsx";
import { FailureState } from "../../page-parts/states.tsx";
import { sentenceOf } from "../../page-parts/submit.ts";
import { go, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { noteWorkspace } from "../../session/preferences.ts";
import { instance, loadInstance, loadMe, me, noteSignIn, setMe } from "../../session/session.ts";
import { Banner, Button, FieldError, Icon, Skeleton } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { Invitation } from "./invitation.tsx";
import "./sign-in.css";

/**
 * A question for a person who has signed in for the first time. The step is in the URL, so that a reload asks it again.
 * The link itself can sign in only once.
 */
type Step = "name" | "workspace";

/**
 * Signs in with a one-time link whose secret is in the URL fragment, with a code by e-mail, or with a token. Then asks
 * new people for their name, and people without a workspace for the name of a new one.
 */
export default function SignIn(_props: ScreenProps) {
  const words = useWords();
  const [failure, setFailure] = useState<ApiFailure>();
  const load = () => {
    setFailure(undefined);
    loadInstance().catch((error: unknown) => {
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error);
    });
  };
  useEffect(load, []);
  const step = stepIn(route.value.query);
  const isUnknown = step !== undefined && me.value === undefined;
  useEffect(() => {
    if (!isUnknown) return;
    loadMe().then(
      (isSignedIn) => isSignedIn || toStep(undefined),
      (error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        setFailure(error);
      },
    );
  }, [isUnknown]);
  const isInvitation = route.value.path === "/invitations";

  const signedIn = async ({ isNew }: { readonly isNew: boolean }) => {
    await noteSignIn();
    if (isNew) toStep("name");
    else enter();
  };

  const afterName = async () => {
    const { workspaces } = await call("GET /api/v1/workspaces", { query: {} });
    if (workspaces.length === 0) toStep("workspace");
    else enter();
  };

  if (failure || !instance.value || isUnknown) {
    return (
      <Page title={words.signInTitle}>
        {failure ? <FailureState failure={failure} onRetry={load} /> : <Skeleton rows={3} />}
      </Page>
    );
  }
  switch (step) {
    case "name":
      return <NameYourself onDone={() => void afterName()} />;
    case "workspace":
      return <FirstWorkspace />;
    case undefined:
      return isInvitation ? (
        <Page title={words.invitationTitle}>
          <Invitation code={route.value.hash} onSignedIn={signedIn} />
        </Page>
      ) : (
        <Page title={words.signInTitle}>
          <Ways onSignedIn={signedIn} />
        </Page>
      );
  }
}

function stepIn(query: URLSearchParams): Step | undefined {
  const step = query.get("step");
  return step === "name" || step === "workspace" ? step : undefined;
}

function toStep(step: Step | undefined): void {
  const query = new URLSearchParams(route.value.query);
  if (step === undefined) query.delete("step");
  else query.set("step", step);
  const { hash } = route.value;
  go(`/sign-in${query.size > 0 ? `?${query}` : ""}${hash && `#${hash}`}`, { isReplacing: true });
}

/** Opens the originally requested page, or otherwise the list of bots. */
function enter(): void {
  const next = route.value.query.get("next");
  go(next?.startsWith("/") && !next.startsWith("//") ? next : "/", { isReplacing: true });
}

type WaysProps = { readonly onSignedIn: (answer: { readonly isNew: boolean }) => Promise<void> };

function Ways({ onSignedIn }: WaysProps) {
  const words = useWords();
  const [secret, setSecret] = useState(route.value.hash);
  const [isUsed, setUsed] = useState(false);
  const isFresh = instance.value?.signIn.isFresh ?? false;
  useEffect(() => {
    if (route.value.hash !== "") setSecret(route.value.hash);
  }, [route.value.hash]);
  if (secret !== "") {
    const refused = () => {
      setSecret("");
      setUsed(true);
      go("/sign-in", { isReplacing: true });
    };
    return <ByLink secret={secret} onSignedIn={onSignedIn} onRefused={refused} />;
  }
  return (
    <>
      {isUsed && (
        <Banner
          text={
            <>
              {words.linkUsedHelp} <code>parley sign-in</code>
            </>
          }
          tone="warning"
          title={words.linkUsed}
          isAlert
        />
      )}
      {isFresh && !isUsed && (
        <p class="sign-in-fresh">
          {words.signInFresh} <code>parley sign-in</code> {words.signInFreshRest}
        </p>
      )}
      <SignInForm onSignedIn={onSignedIn} />
    </>
  );
}

type LinkProps = WaysProps & { readonly secret: string; readonly onRefused: () => void };

/**
 * Signs in with a link when the button is pressed. Opening the link is not enough, because link previews of messengers
 * also open links.
 */
function ByLink({ secret, onSignedIn, onRefused }: LinkProps) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const use = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const answer = await call("POST /api/v1/sign-in/link", { body: { secret } });
      // The secret has been used and must not stay in the browser's history.
      go(`/sign-in${location.search}`, { isReplacing: true });
      await onSignedIn(answer);
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      if (cause.status === 0 || cause.status === 429) setError(sentenceOf(cause, words.tooManyTries));
      else onRefused();
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="app-sign-in-form">
      <p>{words.signInByLinkText}</p>
      <FieldError error={error} />
      <Button
        label={words.signInByLink}
        kind="primary"
        busy={isBusy}
        onPress={() => void use()}
        attributes={{ autofocus: true }}
      />
    </div>
  );
}

function NameYourself({ onDone }: { readonly onDone: () => void }) {
  const words = useWords();
  const save = async (name: string) => {
    setMe((await call("PATCH /api/v1/users/me", { body: { name } })).user);
    onDone();
  };
  return (
    <Page title={words.welcomeTitle} text={words.welcomeText}>
      <NameForm
        class="app-sign-in-fields"
        label={words.yourName}
        action={words.continue}
        send={save}
        attributes={{ autocomplete: "name", autofocus: true }}
      />
    </Page>
  );
}

function FirstWorkspace() {
  const words = useWords();
  const make = async (name: string) => {
    const { workspace } = await call("POST /api/v1/workspaces", { body: { name } });
    noteWorkspace(workspace.id);
    go(`/w/${workspace.id}?new`, { isReplacing: true });
  };
  return (
    <Page title={words.firstWorkspaceTitle} text={words.firstWorkspaceText}>
      <NameForm
        class="app-sign-in-fields"
        label={words.workspaceName}
        value={words.firstWorkspaceName({ name: me.value?.name ?? "" })}
        action={words.continue}
        send={make}
        attributes={{ autofocus: true }}
      />
    </Page>
  );
}

type PageProps = { readonly title: string; readonly text?: string; readonly children: ComponentChildren };

/** A page with a single centred column. */
function Page({ title, text, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <main class="sign-in" id="main" tabIndex={-1}>
      <span class="sign-in-mark">
        <Icon name="message-circle" size={26} />
      </span>
      <h1>{title}</h1>
      {text !== undefined && <p class="sign-in-text">{text}</p>}
      {children}
    </main>
  );
}
