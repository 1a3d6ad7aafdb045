import { dirname, join } from "node:path/posix";
import { isFolder, isThere, listFiles, listTop, readText } from "./project.ts";

/** A Markdown file of the repository, by its path from the root. */
export type MarkdownPage = { readonly path: string; readonly text: string };

export function readPages(): MarkdownPage[] {
  return listTop()
    .flatMap((name) => (isFolder(name) ? listFiles(name).map((path) => `${name}/${path}`) : [name]))
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ path, text: readText(path) }));
}

/** Returns the targets of links and pictures in a text, except within code. */
export function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
}

/** Returns links to missing files of the repository, and to missing headings of a file. */
export function linkProblems({ path, text }: MarkdownPage): string[] {
  return linksOf(text)
    .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(link, { path, text }))
    .map((link) => `${path}: ${link} leads nowhere`);
}

/** Returns the names in backticks that contain a slash, or that end like a TypeScript, Markdown or JSON file. */
export function namedPaths({ text }: MarkdownPage): string[] {
  const names = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)].map(([, name = ""]) => name);
  return names.filter((name) => /\/|\.(?:tsx?|md|json)$/.test(name));
}

/** Returns the named files and folders that exist neither in the page's folder, nor in `src`, nor in the root. */
export function pathProblems(page: MarkdownPage): string[] {
  const folders = [dirname(page.path), "src", "."];
  return namedPaths(page)
    .filter((name) => !folders.some((folder) => isThere(join(folder, name))))
    .map((name) => `${page.path}: ${name} is not there`);
}

function leadsSomewhere(link: string, { path, text }: MarkdownPage): boolean {
  const [file = "", heading] = link.split("#");
  const target = join(dirname(path), file);
  if (file !== "" && !isThere(target)) return false;
  return heading === undefined || headingsOf(file === "" ? text : readText(target)).includes(heading);
}

/** Returns GitHub's anchors of headings. The anchor of a repeated title has a number. */
function headingsOf(text: string): string[] {
  const met = new Map<string, number>();
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => {
    const name = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const before = met.get(name) ?? 0;
    met.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  });
}
