/** The text of pay-script.js. */
declare const text: string;
export default text;
