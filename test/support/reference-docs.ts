import { ConfigSchema } from "../../src/config.ts";
import { rules } from "../../src/core/lint/rules.ts";
import { errorCatalogue } from "../../src/errors.ts";

/** The pages of `docs/` that are made of what the program says, by their path in the checkout. */
export function referenceDocs(): Record<string, string> {
  return { "docs/settings.md": settingsPage(), "docs/errors.md": errorsPage(), "docs/lint.md": lintPage() };
}

function settingsPage(): string {
  const rows = Object.entries(ConfigSchema.properties).map(([name, schema]) => {
    const byDefault = schema["default"] === undefined || schema["default"] === "" ? "" : `\`${schema["default"]}\``;
    return `| \`${name}\` | ${byDefault} | ${cell(String(schema["description"]))} | ${cell(String(schema["expected"]))} |`;
  });
  return `# Settings

Every setting is an environment variable, and all are optional. A wrong value stops the start with a sentence that names the variable, and never
shows its value; a variable set to nothing counts as absent. \`parley doctor\` tries out what they name. Made from \`src/config.ts\` by
\`npm run docs\`; a test keeps it true.

| Variable | Default | Meaning | Takes |
|---|---|---|---|
${rows.join("\n")}

What \`RATE_LIMITS\` may say is told in [rate limits](rate-limits.md), and which of these several nodes share in [scaling](scaling.md#many-nodes).
`;
}

function errorsPage(): string {
  const rows = Object.entries(errorCatalogue).map(([code, error]) => {
    const after = "retryAfterSeconds" in error ? `${error.retryAfterSeconds} s` : "";
    return `| \`${code}\` | ${error.status} | ${cell(error.message)} | ${after} |`;
  });
  return `# Error codes

Every error of every endpoint has one shape:

    { "code": "bot.not_found", "status": 404, "message": "Bot not found.", "requestId": "…" }

\`code\` stays as it is from release to release, \`message\` is for people and may change, and where a bot's author worded it, it is theirs. Some
have \`data\` with facts, such as \`issues\` where a request is not what the operation takes. \`requestId\` is the header \`X-Request-Id\`, and finds the
request in the log. Which operation answers with which is told at \`/docs\`. Made from \`src/errors.ts\` by \`npm run docs\`; a test keeps it true.

Where a time is named, the answer has the header \`Retry-After\` (it may name another time, if that is known better) and the same request may be sent
again, with the same \`Idempotency-Key\`. Without one the same request fails the same way.

| Code | Status | Message | Again after |
|---|---|---|---|
${rows.join("\n")}
`;
}

function lintPage(): string {
  const sections = rules.map(
    ({ name, severity, about, advice, fix }) =>
      `## ${name}\n\n*${severity}* · ${about}\n\n**What to do.** ${advice}${fix ? `\n\n**Fix.** ${fix.about}` : ""}`,
  );
  return `# The linter

The linter reads a flow without running it, and tells what would break a chat, and what its author most probably did not mean. Publishing a bot
answers its findings as \`warnings\`. Each has the name of its rule (a heading below), a severity, the ids of what it is about, a sentence that
says what is there, and one that says what to do. \`isFixable\` is true where the builder can mend it without a choice, as an act that can be taken
back: what its rule's fix does stands below.

- **error**: whoever comes there has a broken chat.
- **warning**: most probably not meant so.
- **info**: worth knowing, and often meant so.

The rules judge what the interpreter does, quirks included. Where they cannot know (a group or a value that a variable names, variables that a
linked bot writes) they are silent: a fault may be missed, but what is reported is there.

## Asking it

\`POST /api/v1/bots/{botId}/lint\` reads a bot's draft, a publication (\`number\`) or a flow that is sent (\`bot\`). The command line reads a file,
for which no service is needed, or a bot; its exit code is 1 where there are errors:

    parley lint my-bot.json
    parley lint 01890000-0000-7000-8000-000000000000 --number 3 --json

Publishing refuses a draft with errors (\`flow.broken\`) unless \`force\` is true, and keeps in \`overruledRules\` what was overruled. Publishing an
earlier publication again, and promoting a canary, refuse nothing: this was decided when it was first published, and may be needed in a hurry.

## Leaving a block out

A block leaves rules out by their names, beside its \`options\`; nothing else reads this key, it never reaches a visitor, and it is exported and
imported with the block. Other services that read the flow ignore it or drop it, which changes nothing but what the linter says:

    { "id": "…", "type": "Condition", "lint": { "ignore": ["dead_end"] }, "items": [ … ] }

Made from \`src/core/lint/rules/\` by \`npm run docs\`; a test keeps it true.

${sections.join("\n\n")}
`;
}

/** Text that stands in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
