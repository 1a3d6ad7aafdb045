import { type Mark, markKind, markNames } from "../../src/core/interpreter/rich-text/marks.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, says } from "../support/chat.ts";
import { named } from "../web/inputs/flows.ts";

/** Returns the next payload of a kind for a field. */
export type Deal = (place: string) => string;

/** Returns bubbles that show a text, each in a different form of rich text. */
export function wordBubbles(texts: readonly string[]): object[] {
  const shapes: readonly ((text: string) => object)[] = [
    (text) => ({ type: "p", children: [{ text }] }),
    (text) => marked(text, drawnBy("class")),
    ...drawnBy("element").map((mark) => (text: string) => marked(text, [mark])),
    (text) => ({ type: "h1", children: [{ text }] }),
    (text) => ({ type: "ul", children: [{ type: "li", children: [{ type: "lic", children: [{ text }] }] }] }),
    (text) => ({ type: "blockquote", children: [{ text }] }),
    (text) => ({ type: "code_block", children: [{ type: "code_line", children: [{ text }] }] }),
    (text) => ({ type: "p", children: [{ type: "a", url: "https://example.com", children: [{ text }] }] }),
    (text) => ({ type: `p"><script>${text}`, children: [{ text }] }),
  ];
  return texts.map((text, index) => ({
    ...says("x", `words ${index}`),
    content: { richText: [shapes[index % shapes.length]?.(text)] },
  }));
}

const drawnBy = (page: string) => markNames.filter((mark) => markKind(mark).page === page);

function marked(text: string, marks: readonly Mark[]): object {
  return { type: "p", children: [{ text, ...Object.fromEntries(marks.map((mark) => [mark, true])) }] };
}

/** Returns bubbles that link to, show, play and frame the addresses. */
export function addressBubbles(give: (place: string) => readonly string[]): object[] {
  const each = (place: string, make: (address: string) => object) =>
    give(place).map((address, index) => ({ id: `${place} ${index}`, ...make(address) }));
  return [
    ...each("link of a text", (url) => ({
      type: "text",
      content: { richText: [{ type: "p", children: [{ type: "a", url, children: [{ text: "Follow" }] }] }] },
    })),
    ...each("picture", (url) => ({ type: "image", content: { url, alt: "Picture" } })),
    ...each("link of a picture", (url) => ({
      type: "image",
      content: { url: dot, clickLink: { url, alt: "Linked picture" } },
    })),
    ...each("video", (url) => ({ type: "video", content: { url, type: "url" } })),
    ...each("video of a platform", (id) => ({ type: "video", content: { id, type: "vimeo", queryParamsStr: id } })),
    ...each("sound", (url) => ({ type: "audio", content: { url } })),
    ...each("frame", (url) => ({ type: "embed", content: { url, height: 50 } })),
  ];
}

/** A picture of one pixel. */
const dot = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACADs=";

/**
 * Returns one input of each type, with a hostile text wherever an author can enter a text, and the texts that a page
 * shows.
 */
export function labelledInputs(
  word: Deal,
  address: Deal,
): readonly { readonly input: object; readonly shown: readonly string[] }[] {
  const one = (type: string, parts: (say: Deal) => { options?: object; items?: readonly object[] }) => {
    const shown: string[] = [];
    const say: Deal = (place) => {
      const text = word(`${place} of a ${type}`);
      shown.push(text);
      return text;
    };
    const { options = {}, items } = parts(say);
    return { input: named(type, type, options, items ? { items } : {}), shown };
  };
  return [
    ...["text input", "number input", "email input", "url input"].map((type) =>
      one(type, (say) => ({
        options: { labels: { placeholder: say("placeholder"), button: word(`button of a ${type}`) } },
      })),
    ),
    one("text input", () => ({
      options: { isLong: true, labels: { placeholder: word("placeholder of a long text input") } },
    })),
    one("phone number input", (say) => ({
      options: {
        labels: { placeholder: say("placeholder") },
        defaultCountryCode: word("country of a phone number input"),
      },
    })),
    one("date input", (say) => ({ options: { isRange: true, labels: { from: say("from"), to: say("to") } } })),
    one("time input", () => ({ options: { labels: { button: word("button of a time input") } } })),
    one("choice input", (say) => ({
      options: { isMultipleChoice: true, isSearchable: true, searchInputPlaceholder: word("search of choices") },
      items: Array.from({ length: 6 }, (_, index) => ({ id: `choice ${index}`, content: say("choice") })),
    })),
    one("picture choice input", (say) => ({
      items: Array.from({ length: 4 }, (_, index) => ({
        id: `picture ${index}`,
        pictureSrc: address("picture of a choice"),
        title: say("title"),
        description: say("description"),
      })),
    })),
    one("cards", (say) => ({
      items: Array.from({ length: 4 }, (_, index) => ({
        id: `card ${index}`,
        imageUrl: address("picture of a card"),
        title: say("title"),
        description: say("description"),
        paths: [{ id: `path ${index}`, text: say("path") }],
      })),
    })),
    one("rating input", (say) => ({
      options: { length: 3, labels: { left: say("left label"), right: say("right label") } },
    })),
    one("rating input", () => ({
      options: { buttonType: "Icons", customIcon: { isEnabled: true, svg: word("icon of a rating input") } },
    })),
    one("ranking input", (say) => ({ items: [0, 1].map((index) => ({ id: `rank ${index}`, content: say("item") })) })),
    one("matrix input", (say) => ({ options: { rows: [{ title: say("row") }], columns: [say("column"), "Good"] } })),
    one("address input", (say) => ({
      options: { labels: { placeholder: say("placeholder"), button: word("button of an address") } },
    })),
    one("signature input", () => ({
      options: {
        isRequired: false,
        labels: {
          button: word("button of a signature"),
          skip: word("skip button of a signature"),
          clear: word("clear button of a signature"),
        },
      },
    })),
    one("file input", () => ({
      options: {
        isRequired: false,
        isMultipleAllowed: true,
        labels: {
          // The reference product accepts HTML in these fields.
          placeholder: word("placeholder of a file input"),
          button: word("button of a file input"),
          skip: word("skip button of a file input"),
          clear: word("clear button of a file input"),
        },
        allowedFileTypes: { isEnabled: true, types: [word("type of a file input")] },
      },
    })),
  ];
}

/** Returns a theme in which every value tries to break out of its style rule. */
export function hostileTheme(style: Deal, address: Deal): object {
  const box = (name: string) => ({
    backgroundColor: style(`background of ${name}`),
    color: style(`colour of ${name}`),
    border: { thickness: 1, color: style(`border of ${name}`), roundeness: style(`roundness of ${name}`) },
    shadow: style(`shadow of ${name}`),
  });
  return {
    general: {
      font: { type: "Google", family: style("family of the font") },
      background: { type: "Color", content: style("background of the page") },
      progressBar: {
        isEnabled: true,
        color: style("colour of the progress bar"),
        backgroundColor: style("background of the progress bar"),
        placement: style("placement of the progress bar"),
        position: style("position of the progress bar"),
      },
    },
    chat: {
      container: { maxWidth: style("width of the container"), maxHeight: style("height"), ...box("the container") },
      hostAvatar: { isEnabled: true, url: address("the bot's avatar") },
      guestAvatar: { isEnabled: true, url: address("the visitor's avatar") },
      hostBubbles: box("the bot's bubbles"),
      guestBubbles: box("the visitor's bubbles"),
      buttons: box("buttons"),
      inputs: { ...box("fields"), placeholderColor: style("colour of placeholders") },
      roundness: style("roundness"),
      buttonsInput: { layout: style("layout of buttons") },
    },
  };
}

/** Blocks that ask for another text, and show it. */
export const asksAgain = [asks("text input", { variableId: idOf("Name"), isLong: true }), says("You said {{Name}}")];
