// Written by `npm run words` from the English words; a test compares them.

type Value = string | number;

export type Places = {
  numberTooSmall: { readonly limit: Value };
  numberTooLarge: { readonly limit: Value };
  numberBetween: { readonly from: Value; readonly to: Value };
  dateTooEarly: { readonly limit: Value };
  dateTooLate: { readonly limit: Value };
  example: { readonly example: Value };
  invalidDate: { readonly example: Value };
  invalidTime: { readonly example: Value };
  ratingOf: { readonly rating: Value; readonly most: Value };
  moveUp: { readonly name: Value };
  moveDown: { readonly name: Value };
  placeOf: { readonly name: Value; readonly place: Value; readonly most: Value };
  placeFor: { readonly name: Value };
  answerRow: { readonly name: Value };
  payAmountElsewhere: { readonly amount: Value };
  payInTab: { readonly amount: Value };
  remove: { readonly name: Value };
  uploading: { readonly name: Value };
  fileLimit: { readonly limit: Value };
  fileTypeWrong: { readonly name: Value };
  answerOf: { readonly count: Value };
  formsBlocked: { readonly token: Value };
  openLink: { readonly host: Value };
  leavingFor: { readonly host: Value };
  found: { readonly count: Value };
};
