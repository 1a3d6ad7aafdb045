import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import type { GoogleFailure, GoogleSession } from "./google-session.ts";

/** A sheet of a spreadsheet. Ranges refer to the sheet by its `title`. */
export type Tab = {
  readonly documentTitle: string;
  readonly title: string;
  /** Whether the titles come from the cache, so that the sheet may have been renamed since. */
  readonly isKept: boolean;
};

/**
 * Caches the titles of sheets for five minutes. Stored flows contain the numeric ids of sheets, but ranges require
 * their titles.
 */
export type Tabs = {
  find(place: TabPlace, google: GoogleSession): Promise<Tab | { readonly failure: GoogleFailure }>;
  forget(place: TabPlace): void;
};

export type TabPlace = { readonly credentialsId: string; readonly spreadsheetId: string; readonly sheetId: string };

type Titles = { readonly documentTitle: string; readonly tabs: ReadonlyMap<string, string>; readonly endsAt: number };

const keptMs = 5 * 60_000;
const maxKept = 10_000;

export function createTabs({ clock }: { clock: Clock }): Tabs {
  const kept = new Map<string, Titles>();
  const keyOf = ({ credentialsId, spreadsheetId }: TabPlace): string => `${credentialsId} ${spreadsheetId}`;
  return {
    async find(place, google) {
      const found = kept.get(keyOf(place));
      const isKept = found !== undefined && found.endsAt > clock.now() && found.tabs.has(place.sheetId);
      const titles = isKept ? found : await readTitles(place, google, clock.now() + keptMs);
      if ("failure" in titles) return titles;
      if (!isKept) {
        if (kept.size >= maxKept) kept.clear();
        kept.set(keyOf(place), titles);
      }
      const { documentTitle, tabs } = titles;
      const title = tabs.get(place.sheetId);
      if (title !== undefined) return { documentTitle, title, isKept };
      const details = `The spreadsheet "${documentTitle}" has no sheet with the id ${place.sheetId}`;
      return { failure: { reason: "refused", details } };
    },
    forget: (place) => void kept.delete(keyOf(place)),
  };
}

/** Returns the titles of the document and the sheet for log entries. */
export function placeOf({ documentTitle, title }: Tab): string {
  return `${documentTitle} > ${title}`;
}

export const spreadsheets = "https://sheets.googleapis.com/v4/spreadsheets";

async function readTitles(
  { spreadsheetId }: TabPlace,
  google: GoogleSession,
  endsAt: number,
): Promise<Titles | { readonly failure: GoogleFailure }> {
  const fields = "properties.title,sheets.properties(sheetId,title)";
  const answer = await google.call({
    url: `${spreadsheets}/${encodeURIComponent(spreadsheetId)}?fields=${encodeURIComponent(fields)}`,
    method: "GET",
    isRepeatable: true,
  });
  if ("failure" in answer) return answer;
  const listed = valueAt(answer.body, "sheets");
  const tabs = (Array.isArray(listed) ? listed : []).flatMap((sheet: unknown): [string, string][] => {
    const properties = valueAt(sheet, "properties");
    const title = textAt(properties, "title");
    if (!isJsonObject(properties) || title === undefined) return [];
    // Google omits `sheetId` if it is 0.
    return [[String(properties["sheetId"] ?? 0), title]];
  });
  return { documentTitle: textAt(valueAt(answer.body, "properties"), "title") ?? "", tabs: new Map(tabs), endsAt };
}
