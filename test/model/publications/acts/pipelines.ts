import type { DeployOptions } from "../../../../src/commands/deploy/deploy.ts";
import { at, listAt } from "../../../../src/web/conversation/read.ts";
import { editFile, type File, keepFolder, readLock, runDeploy, runPull, takeFormer } from "../checkout.ts";
import { planOf } from "../deploys.ts";
import { hold, holdEqual } from "../promises.ts";
import { newText, type Run, variableOf } from "../run.ts";
import type { Act } from "./act.ts";
import { notePublished } from "./authors.ts";

export const pipelineActs: readonly Act[] = [
  {
    name: "pull",
    means: "Somebody pulls the bots of the workspace into the folder.",
    often: 4,
    when: ({ suspended }) => !suspended.has("home"),
    run: pullBots,
  },
  {
    name: "edit",
    means: "Somebody changes what a bot says in its file.",
    often: 7,
    when: ({ checkout }) => checkout.files.size > 0,
    async run(run, bot, pick) {
      const files = [...run.checkout.files.values()];
      const file = files.find((each) => each.bot === bot) ?? files[pick % files.length];
      if (!file) return;
      const text = newText(run, variableOf(run, file.text));
      await editFile(run, file, text);
      file.text = text;
    },
  },
  {
    name: "commit",
    means: "Somebody keeps the folder as it is.",
    often: 2,
    when: ({ checkout }) => checkout.files.size > 0,
    run: keepFolder,
  },
  {
    name: "checkOut",
    means: "A pipeline has an earlier state of the folder, or its earlier lock.",
    often: 2,
    when: ({ checkout }) => checkout.former !== undefined,
    run: (run, _, pick) => takeFormer(run, { isLockAlone: pick % 2 === 0 && hasSameFolders(run) }),
  },
  {
    name: "deploy",
    means:
      "A pipeline deploys and publishes the folder: as it is, as canaries, over others' drafts, or over what is live.",
    often: 9,
    when: ({ checkout, suspended }) => checkout.files.size > 0 && !suspended.has("home"),
    run: deployFolder,
  },
];

function hasSameFolders({ checkout }: Run): boolean {
  const folders = (files: ReadonlyMap<string, File>) => [...files.keys()].toSorted();
  return Bun.deepEquals(folders(checkout.files), folders(checkout.former?.files ?? new Map()));
}

export async function pullBots(run: Run): Promise<void> {
  const { checkout } = run;
  const here = run.bots.filter(({ workspace, place }) => workspace === "home" && place === "there");
  const isKept = ({ text, locked, bot }: File) => text !== bot.draft && text !== locked;
  const kept = [...checkout.files.values()].filter((file) => here.includes(file.bot) && isKept(file));
  const ended = await runPull(run);
  hold("pulled", ended.code === (kept.length > 0 ? 1 : 0), { ...ended, kept: kept.map(({ folder }) => folder) });
  const known = new Map([...checkout.files.values()].map((file) => [file.bot, file]));
  for (const entry of await readLock(run)) {
    const bot = here.find(({ botId }) => botId === entry["id"]);
    if (!bot) continue;
    const before = known.get(bot);
    if (before && kept.includes(before)) continue;
    const published = bot.live ?? null;
    holdEqual("pulled", { bot: bot.name, expected: published, seen: entry["published"] });
    const folder = String(entry["folder"]);
    const isPublishing = entry["isPublishing"] === true;
    checkout.files.set(folder, { folder, bot, text: bot.draft, locked: bot.draft, published, isPublishing });
  }
  const pulled = here.filter((bot) => ![...checkout.files.values()].some((file) => file.bot === bot));
  holdEqual("pulled", { expected: [], seen: pulled.map(({ name }) => name) });
}

async function deployFolder(run: Run, _: unknown, pick: number): Promise<void> {
  const { checkout } = run;
  const files = [...checkout.files.values()];
  const options: DeployOptions = {
    publish: true,
    ...(pick % 5 === 1 && { force: true as const }),
    ...(pick % 6 === 2 && { forceLive: [files[pick % files.length]?.folder ?? ""] }),
    ...(pick % 6 === 3 && files.every(({ bot }) => bot.live !== undefined) && { percent: 50 }),
  };
  const plan = planOf(run, options);
  const ended = await runDeploy(run, options);
  const facts = { options, plan: plan.map(({ file, ...rest }) => ({ folder: file.folder, ...rest })), ended };
  const isRefused = plan.some(({ isRefused: is }) => is);
  holdEqual("planned", { ...facts, expected: isRefused ? 1 : 0, seen: ended.code });
  if (isRefused) return;
  const outcomes = listAt(Object(ended.json), "bots");
  const lock = await readLock(run);
  for (const { file, publishes } of plan) {
    const { bot, folder } = file;
    const outcome = outcomes.find((each) => at(each, "folder") === folder);
    const number = Number(at(outcome, "version") ?? 0);
    holdEqual("planned", { ...facts, folder, expected: publishes, seen: number > 0 });
    bot.draft = file.text;
    file.locked = file.text;
    if (publishes) notePublished(run, bot, number, file.text);
    if (publishes && options.percent === undefined) Object.assign(bot, { live: number, canary: undefined });
    if (publishes && options.percent !== undefined) bot.canary = number;
    file.published = bot.live ?? null;
    const entry = lock.find((each) => each["folder"] === folder);
    holdEqual("planned", { ...facts, folder, note: "lock", expected: file.published, seen: entry?.["published"] });
    file.isPublishing = entry?.["isPublishing"] === true;
  }
}
