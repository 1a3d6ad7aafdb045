import { StartError } from "../../config.ts";

/** Reads a JSON file. Throws a StartError if the file cannot be read or is not valid JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  const fail = (problem: string) => (error: Error) => {
    throw new StartError(`${path} ${problem}: ${error.message}`, { cause: error });
  };
  const text = await Bun.file(path).text().catch(fail("cannot be read"));
  return await new Response(text).json().catch(fail("is not JSON"));
}
