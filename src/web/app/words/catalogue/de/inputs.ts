/** Of inputs with a field. */
export const inputs = {
  "Text input": "Texteingabe",
  "Takes any text as it is, also the empty one; a voice clip counts as its address.":
    "Nimmt jeden Text, wie er ist, auch den leeren; eine Sprachaufnahme zählt als ihre Adresse.",
  Options: "Optionen",
  "Save answer in": "Antwort speichern in",
  "Id of the variable that the answer is written to.": "Die Variable, in die die Antwort geschrieben wird.",
  Labels: "Beschriftungen",
  "The words of the input.": "Die Worte der Eingabe.",
  Placeholder: "Platzhalter",
  "Shown in the empty field.": "Steht im leeren Feld.",
  Button: "Knopf",
  "Label of the button that sends.": "Beschriftung des Knopfs, der sendet.",
  "Several lines": "Mehrere Zeilen",
  "Whether the field has several lines.": "Ob das Feld mehrere Zeilen hat.",
  "Keyboard of phones": "Tastatur auf Telefonen",
  "The keyboard that a phone shows.": "Die Tastatur, die ein Telefon zeigt.",
  "Voice clips": "Sprachaufnahmen",
  "Says whether a voice clip may be sent instead.": "Sagt, ob stattdessen eine Sprachaufnahme gesendet werden kann.",
  Allowed: "Erlaubt",
  "Whether a voice clip may be sent instead.": "Ob stattdessen eine Sprachaufnahme gesendet werden kann.",
  "Save address in": "Adresse speichern in",
  "Id of the variable that gets the address, or a list of them.":
    "Die Variable, die die Adresse bekommt, oder eine Liste davon.",
  Visibility: "Sichtbarkeit",
  "Who may open what was sent.": "Wer öffnen darf, was gesendet wurde.",
  Attachments: "Anhänge",
  "Says whether files may be sent along.": "Sagt, ob Dateien mitgesendet werden können.",
  "Whether files may be sent along.": "Ob Dateien mitgesendet werden können.",
  "The text is stored as it is.": "Der Text wird gespeichert, wie er ist.",
  "What the variable holds is offered as the answer.": "Was die Variable enthält, wird als Antwort angeboten.",
  Number: "Zahl",
  "Takes a number, with a comma or a dot, within `min` and `max`.":
    "Nimmt eine Zahl mit Komma oder Punkt, zwischen `min` und `max`.",
  "At least": "Mindestens",
  "The least number that is accepted.": "Die kleinste Zahl, die angenommen wird.",
  "At most": "Höchstens",
  "The greatest number that is accepted.": "Die größte Zahl, die angenommen wird.",
  Step: "Schrittweite",
  "How far the client's arrows go; any number in between is accepted.":
    "Wie weit die Pfeile im Feld gehen; jede Zahl dazwischen wird angenommen.",
  Language: "Sprache",
  "The language that the client writes the number in, such as `de-DE`.":
    "Die Sprache, in der die Zahl im Feld geschrieben wird, etwa `de-DE`.",
  "Written as": "Geschrieben als",
  "How the client writes the number.": "Wie die Zahl im Feld geschrieben wird.",
  Currency: "Währung",
  "Code of the currency that the client writes.": "Code der Währung, die im Feld steht.",
  Unit: "Einheit",
  "The unit that the client writes.": "Die Einheit, die im Feld steht.",
  "A comma is read as a dot.": "Ein Komma wird als Punkt gelesen.",
  "Leading zeros are kept.": "Nullen am Anfang bleiben.",
  "Limits may be variables, and a limit of 0 is a limit.":
    "Grenzen können Variablen sein, und eine Grenze von 0 ist eine Grenze.",
  "Text with anything else in it is refused.": "Text mit irgendetwas anderem darin wird abgelehnt.",
  Email: "E-Mail",
  "Takes an e-mail address and stores it in lower case.":
    "Nimmt eine E-Mail-Adresse und speichert sie in Kleinbuchstaben.",
  "When the reply is refused": "Wenn die Antwort abgelehnt wird",
  "What is said when the reply is refused; absent: the bot's own `invalidMessage`.":
    "Was gesagt wird, wenn die Antwort abgelehnt wird; leer: die Meldung `invalidMessage` des Bots.",
  "Stored in lower case.": "In Kleinbuchstaben gespeichert.",
  "Not trimmed, and a top-level domain is needed.":
    "Leerzeichen werden nicht entfernt, und eine Endung wie .de ist nötig.",
  Website: "Webadresse",
  "Takes a web address with a public host, with or without `http://` or `https://`, and stores it as it was typed.":
    "Nimmt eine Webadresse mit öffentlichem Host, mit oder ohne `http://` oder `https://`, und speichert sie, wie sie getippt wurde.",
  "The scheme may be left out; none is added.": "Das Schema kann fehlen; es wird keines ergänzt.",
  "A host without a top-level domain is refused, in the author's words.":
    "Ein Host ohne Endung wird abgelehnt, mit den Worten des Autors.",
  Date: "Datum",
  "Reads a date in figures or English words, the day first where `format` begins with `dd`, and stores it in `format`. Dates without a time are at noon.":
    "Liest ein Datum in Ziffern oder englischen Wörtern, den Tag zuerst, wenn `format` mit `dd` beginnt, und speichert es in `format`. Ein Datum ohne Zeit steht für zwölf Uhr mittags.",
  From: "Von",
  "Label of the first date of a range.": "Beschriftung des ersten Datums eines Zeitraums.",
  To: "Bis",
  "Label of the last date of a range.": "Beschriftung des letzten Datums eines Zeitraums.",
  Separator: "Trennzeichen",
  "Stands between the two dates of the answer.": "Steht zwischen den beiden Daten der Antwort.",
  "With a time": "Mit Uhrzeit",
  "Whether a time belongs to the date.": "Ob zum Datum eine Uhrzeit gehört.",
  "From a day to another": "Von einem Tag bis zu einem anderen",
  "Whether two dates are asked for.": "Ob nach zwei Daten gefragt wird.",
  Format: "Format",
  "A pattern of date-fns; `dd/MM/yyyy HH:mm` where `hasTime` is set.":
    "Ein Muster von date-fns; `dd/MM/yyyy HH:mm`, wo `hasTime` gesetzt ist.",
  Earliest: "Frühestens",
  "The earliest date, such as `2024-05-31` or `2024-05-31T09:00`.":
    "Das früheste Datum, etwa `2024-05-31` oder `2024-05-31T09:00`.",
  Latest: "Spätestens",
  "The latest date; a date without a time includes its day.":
    "Das späteste Datum; ein Datum ohne Zeit schließt seinen Tag ein.",
  "Without a format the day comes first.": "Ohne Format kommt der Tag zuerst.",
  "With another format the month may come first, and words are understood.":
    "Mit einem anderen Format kann der Monat zuerst kommen, und Wörter werden verstanden.",
  "A range has two dates.": "Ein Zeitraum hat zwei Daten.",
  "The last day belongs to what is allowed; limits may be variables.":
    "Der letzte Tag gehört zum Erlaubten; Grenzen können Variablen sein.",
  "A later day is refused.": "Ein späterer Tag wird abgelehnt.",
  Time: "Uhrzeit",
  "Reads a time of day in figures or English words and stores it in `format`.":
    "Liest eine Uhrzeit in Ziffern oder englischen Wörtern und speichert sie in `format`.",
  "A pattern of date-fns. Variables in it are not replaced in the answer.":
    "Ein Muster von date-fns. Variablen darin werden in der Antwort nicht ersetzt.",
  "Twelve hours or twenty-four.": "Zwölf Stunden oder vierundzwanzig.",
  "The format decides what is stored.": "Das Format entscheidet, was gespeichert wird.",
  "Anything else is refused.": "Alles andere wird abgelehnt.",
  "Phone number": "Telefonnummer",
  "Finds the first phone number in the reply and stores it in international form, such as `+33612345678`.":
    "Findet die erste Telefonnummer in der Antwort und speichert sie in internationaler Form, etwa `+33612345678`.",
  Country: "Land",
  "The country of numbers without a `+`, in two letters such as `FR`; an unknown one counts as none.":
    "Das Land von Nummern ohne `+`, in zwei Buchstaben wie `DE`; ein unbekanntes zählt als keines.",
  "A national number belongs to the default country.": "Eine Nummer ohne Landesvorwahl gehört zum vorgegebenen Land.",
  "The number is found among other words.": "Die Nummer wird zwischen anderen Wörtern gefunden.",
  "Without a default country a national number is refused.":
    "Ohne vorgegebenes Land wird eine Nummer ohne Landesvorwahl abgelehnt.",
  "Each of {options.dynamicVariableId}": "Jedes von {options.dynamicVariableId}",
  "Each of {options.dynamicItems.pictureSrcsVariableId}": "Jedes von {options.dynamicItems.pictureSrcsVariableId}",
};
