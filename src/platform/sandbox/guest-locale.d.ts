/** The text of guest-locale.js. */
declare const source: string;
export default source;
