/** The text of guest-copy.js. */
declare const source: string;
export default source;
