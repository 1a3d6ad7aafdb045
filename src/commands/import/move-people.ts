import { textAt } from "../../web/conversation/read.ts";
import { named, orProblem, type Run } from "./run.ts";
import { RefusedRequest, type Server } from "./server.ts";
import { entriesOf } from "./source.ts";

type Person = {
  readonly userId: string;
  readonly name: string;
  readonly email: string | undefined;
  /** The role of a member, or the access of a collaborator. */
  readonly right: string;
};

/** Maps the ids of users at the source to the ids of users in the target with the same e-mail address. */
export type People = ReadonlyMap<string, string>;

/**
 * Makes people of the source members of the target workspace, with their roles, if they have an account in the target
 * and the move includes members. Existing members keep their role. Nobody is invited and no account is created: people
 * without an account are listed at the end. Returns the people who have an account.
 */
export async function moveMembers(run: Run): Promise<People> {
  const { source, target, place, report } = run;
  if (!run.isParley) return new Map();
  const theirs = await listPeople(source, `${workspacePath(place.fromWorkspaceId)}/members`, "members");
  const ours = await listPeople(target, `${workspacePath(place.workspaceId)}/members`, "members");
  const accounts = await findAccounts(target, ours);
  const people = new Map<string, string>();
  const members = new Set(ours.map(({ userId }) => userId));
  const missing: string[] = [];
  for (const person of theirs) {
    const own = accounts.get(person.email?.toLowerCase() ?? "");
    if (own === undefined) missing.push(wordsOf(person));
    else people.set(person.userId, own);
    if (own === undefined || members.has(own) || !run.isWithMembers) continue;
    await orProblem(run, `Member ${named(person.name)}`, async () => {
      await target.write("PUT", `${workspacePath(place.workspaceId)}/members/${own}`, { body: { role: person.right } });
      members.add(own);
    });
  }
  if (!run.isWithMembers) return people;
  if (missing.length > 0) report.left.push({ what: "Members without an account here", names: missing });
  const here = theirs.filter(({ userId }) => members.has(people.get(userId) ?? "")).length;
  report.compared.push({
    what: "Members with an account here",
    bot: null,
    there: theirs.length - missing.length,
    here,
  });
  return people;
}

/**
 * Gives a bot's collaborators the same access to the copy if they have an account in the target, and if the move
 * includes members.
 */
export async function moveCollaborators(
  run: Run,
  bot: { id: string; own: string; name: string },
  people: People,
): Promise<void> {
  if (!run.isParley || !run.isWithMembers) return;
  const theirs = await listPeople(run.source, `${botPath(bot.id)}/collaborators`, "collaborators");
  const missing: string[] = [];
  for (const person of theirs) {
    const own = people.get(person.userId);
    if (own === undefined) missing.push(wordsOf(person));
    else {
      await orProblem(run, `${named(bot.name)}, collaborator ${named(person.name)}`, async () => {
        await run.target.write("PUT", `${botPath(bot.own)}/collaborators/${own}`, { body: { type: person.right } });
      });
    }
  }
  if (missing.length > 0)
    run.report.left.push({ what: `Collaborators of ${named(bot.name)} without an account here`, names: missing });
}

async function listPeople(server: Server, path: string, name: string): Promise<Person[]> {
  const found: Person[] = [];
  for await (const one of entriesOf(server, path, {}, name)) {
    const userId = textAt(one, "userId");
    if (userId === undefined) continue;
    const right = textAt(one, "role") ?? textAt(one, "type") ?? "";
    found.push({ userId, name: textAt(one, "user", "name") ?? "", email: textAt(one, "user", "email"), right });
  }
  return found.toReversed();
}

/**
 * Returns the ids of the target's active accounts, by e-mail address in lower case. Only an administrator's token can
 * list all accounts. With any other token, returns the members' accounts.
 */
async function findAccounts(target: Server, members: readonly Person[]): Promise<Map<string, string>> {
  const accounts = new Map(members.map(({ email = "", userId }) => [email.toLowerCase(), userId]));
  try {
    for await (const user of entriesOf(target, "/api/v1/users", {}, "users")) {
      const [id, email] = [textAt(user, "id"), textAt(user, "email")];
      if (id !== undefined && email !== undefined && textAt(user, "deactivatedAt") === undefined) {
        accounts.set(email.toLowerCase(), id);
      }
    }
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
  }
  accounts.delete("");
  return accounts;
}

function wordsOf({ name, email, right }: Person): string {
  return `${named(`${name}${email === undefined ? "" : ` <${email}>`}`)} (${right})`;
}

function workspacePath(id: string): string {
  return `/api/v1/workspaces/${encodeURIComponent(id)}`;
}

function botPath(id: string): string {
  return `/api/v1/bots/${encodeURIComponent(id)}`;
}
