import { useState } from "preact/hooks";
import { type Answer, call, useAll } from "../../api/index.ts";
import { NameForm } from "../../page-parts/form-dialog.tsx";
import { ListTable, When } from "../../page-parts/lists.tsx";
import { Part, Sections } from "../../page-parts/sections.tsx";
import { useSubmit } from "../../page-parts/submit.ts";
import { Tokens } from "../../page-parts/tokens.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { chooseLanguage, scheme, setScheme } from "../../session/preferences.ts";
import { me, setMe } from "../../session/session.ts";
import { Badge, Button, Form, Segments, Select, TextField, toast } from "../../ui/index.ts";
import { language, languageName, languages, useWords, type Words } from "../../words/index.ts";
import { accountSections } from "./sections.ts";

/** The account of the signed-in person, with profile, appearance, sign-ins and tokens. */
export default function Account({ params }: ScreenProps) {
  const words = useWords();
  const selected = params["section"] ?? "profile";
  return (
    <Sections title={words.account} sections={accountSections(words)} selected={selected} base="/account">
      {selected === "sign-ins" ? <SignIns /> : selected === "tokens" ? <Tokens workspaceId={undefined} /> : <Profile />}
    </Sections>
  );
}

function Profile() {
  const words = useWords();
  const save = async (name: string) => {
    setMe((await call("PATCH /api/v1/users/me", { body: { name } })).user);
    toast(words.saved);
  };
  return (
    <>
      <Part title={words.profile}>
        <NameForm
          class="app-part-form"
          label={words.yourName}
          value={me.value?.name}
          action={words.save}
          send={save}
          isForChanges
          attributes={{ autocomplete: "name" }}
        />
        <EmailAddress />
      </Part>
      <Part title={words.appearance} text={words.appearanceText}>
        <div class="app-part-form">
          <Segments
            label={words.appearance}
            value={scheme.value}
            options={[
              { value: "system", label: words.schemeSystem },
              { value: "light", label: words.schemeLight },
              { value: "dark", label: words.schemeDark },
            ]}
            onChange={setScheme}
          />
          <Select
            label={words.language}
            value={language.value}
            options={languages.map((value) => ({ value, label: languageName(value) }))}
            onChange={(tag) => void chooseLanguage(tag)}
          />
        </div>
      </Part>
    </>
  );
}

/** Changes the e-mail address. The new address takes effect once the code that was sent to it has been entered. */
function EmailAddress() {
  const words = useWords();
  const [email, setEmail] = useState(me.value?.email ?? "");
  const [emailCode, setCode] = useState<string>();
  const { isBusy, error, submit } = useSubmit();
  const save = () =>
    submit({ email, ...(emailCode !== undefined && { emailCode }) }, async () => {
      const body = { email: email.trim(), ...(emailCode !== undefined && { emailCode: emailCode.trim() }) };
      const { user, isCodeSent } = await call("PATCH /api/v1/users/me", { body });
      setMe(user);
      setCode(isCodeSent ? "" : undefined);
      if (!isCodeSent) toast(words.saved);
    });
  return (
    <Form class="app-part-form" onSubmit={save}>
      <TextField
        label={words.email}
        help={words.emailHelp}
        type="email"
        value={email}
        onInput={setEmail}
        error={emailCode === undefined ? error : undefined}
        attributes={{ autocomplete: "email" }}
      />
      {emailCode !== undefined && (
        <TextField
          label={words.code}
          help={words.codeHelp}
          isMono
          value={emailCode}
          onInput={setCode}
          error={error}
          attributes={{ autocomplete: "one-time-code", inputmode: "numeric" }}
        />
      )}
      <Button label={words.save} type="submit" busy={isBusy} isDisabled={email.trim() === (me.value?.email ?? "")} />
    </Form>
  );
}

type SignIn = Answer<"GET /api/v1/users/me/sign-ins">["signIns"][number];

function SignIns() {
  const words = useWords();
  const query = useAll(
    "sign-ins",
    (page) => call("GET /api/v1/users/me/sign-ins", { query: page }),
    ({ signIns }) => signIns,
  );
  const end = async (signIns: readonly SignIn[]) => {
    for (const { id } of signIns) {
      await call("DELETE /api/v1/users/me/sign-ins/:signInId", { path: { signInId: id } });
    }
    toast(words.signInEnded);
    await query.again();
  };
  const others = query.value?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Part
      title={words.signIns}
      action={others.length > 1 && <Button label={words.endOthers} onPress={() => void end(others)} />}
    >
      <ListTable
        query={query}
        bars={5}
        label={words.signIns}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "browser",
            label: words.name,
            isMain: true,
            cell: ({ browser, isCurrent, tokenName }) => (
              <span class="app-cell">
                <span class="app-cell-text">{browserText(browser, words)}</span>
                {isCurrent && <Badge label={words.thisBrowser} tone="good" />}
                {tokenName !== null && <Badge label={tokenName} />}
              </span>
            ),
          },
          { id: "seen", label: words.lastSeen, from: "medium", cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
        ]}
        acts={(signIn) =>
          !signIn.isCurrent && <Button label={words.endSignIn} size="s" onPress={() => void end([signIn])} />
        }
      />
    </Part>
  );
}

/**
 * Translates the service's English name of a browser, such as `Firefox on Linux`, `A browser on Linux`, `Firefox` or
 * `Unknown`.
 */
function browserText(named: string, words: Words): string {
  const [, browser = named, system] = /^(.+) on (.+)$/.exec(named) ?? [];
  const shown = browser === "A browser" ? words.someBrowser : browser === "Unknown" ? words.unknownBrowser : browser;
  return system === undefined ? shown : words.browserOn({ browser: shown, system });
}
