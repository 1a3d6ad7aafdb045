/** The text of pay-back.js. */
declare const text: string;
export default text;
