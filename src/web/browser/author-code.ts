import { isObject, listAt, textAt } from "../conversation/read.ts";
import { runInline } from "./script-elements.ts";

/** Code of an author, with the values of its arguments. */
export type AuthorCode = {
  readonly content: string;
  readonly args: readonly { readonly name: string; readonly value: unknown }[];
};

/** Reads code as an action carries it: arguments are a list of `{ id, value }`, or an object. */
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
 * Runs code of an author in the page, as the body of an async function with these arguments, and gives what it returns.
 * A script element carries it, with the page's nonce: nothing is evaluated from text. Throws what the code throws.
 */
export async function runAuthorCode({ content, args }: AuthorCode, nonce: string): Promise<unknown> {
  const body = content.replace(/^\s*<script[^>]*>/i, "").replace(/<\/script>\s*$/i, "");
  const name = `parleyCode${++count}`;
  let problem = "The code could not be read";
  const hear = (event: ErrorEvent): void => {
    problem = event.message;
  };
  const names = args.map((arg) => arg.name).join(",");
  addEventListener("error", hear);
  runInline(`window.${name}=async function(${names}){\n${body}\n}`, nonce);
  removeEventListener("error", hear);
  const made: unknown = Reflect.get(window, name);
  Reflect.deleteProperty(window, name);
  if (typeof made !== "function") throw new SyntaxError(problem);
  return made(...args.map((arg) => arg.value));
}

let count = 0;
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
