import { isObject, listAt, textAt } from "../../conversation/read.ts";
import { runInline } from "./script-elements.ts";

/** An author's code, with the values of its arguments. */
export type AuthorCode = {
  readonly content: string;
  readonly args: readonly { readonly name: string; readonly value: unknown }[];
};

/**
 * Reads code from an action or a custom embed. The arguments are a list of `{ id, value }` or an object. Arguments
 * whose names are not identifiers are ignored.
 */
export function readCode(value: unknown): AuthorCode {
  const given = isObject(value) ? value["args"] : undefined;
  const list = isObject(given)
    ? Object.entries(given).map(([name, one]) => ({ name, value: one }))
    : listAt(value, "args").flatMap((arg) => {
        const name = textAt(arg, "id");
        return name === undefined ? [] : [{ name, value: isObject(arg) ? arg["value"] : undefined }];
      });
  return { content: textAt(value, "content") ?? "", args: list.filter(({ name }) => identifier.test(name)) };
}

/**
 * Runs an author's code in the page as the body of an async function, and returns the function's result. Policies
 * forbid `eval`, so the code runs in a script element with the page's nonce. Throws the errors of the code, and a
 * `SyntaxError` if the code cannot be parsed.
 */
export async function runAuthorCode({ content, args }: AuthorCode, nonce: string): Promise<unknown> {
  const body = content.replace(/^\s*<script[^>]*>/i, "").replace(/<\/script>\s*$/i, "");
  const name = `parleyCode${++count}`;
  let problem = "The code could not be read";
  const onError = (event: ErrorEvent): void => {
    problem = event.message;
  };
  const names = args.map((arg) => arg.name).join(",");
  addEventListener("error", onError);
  runInline(`window.${name}=async function(${names}){\n${body}\n}`, nonce);
  removeEventListener("error", onError);
  const compiled: unknown = Reflect.get(window, name);
  Reflect.deleteProperty(window, name);
  if (typeof compiled !== "function") throw new SyntaxError(problem);
  return compiled(...args.map((arg) => arg.value));
}

let count = 0;
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
