/** Of what connects. */
export const integrations = {
  "HTTP request": "HTTP-Anfrage",
  "Sends an HTTP request, from here or from the visitor's client, and gives variables something of the answer.":
    "Sendet eine HTTP-Anfrage, von hier oder vom Browser des Besuchers, und gibt Variablen etwas aus der Antwort.",
  Request: "Anfrage",
  "The request. Without it the block does nothing.": "Die Anfrage. Ohne sie tut der Block nichts.",
  "Id of the request in flows of older versions; not used.":
    "Kennung der Anfrage in Flows älterer Versionen; nicht genutzt.",
  Method: "Methode",
  "What is done at the address.": "Was bei der Adresse getan wird.",
  "Where the request goes, over http or https. Addresses that are not public are refused.":
    "Wohin die Anfrage geht, über http oder https. Adressen, die nicht öffentlich sind, werden abgelehnt.",
  Headers: "Kopfzeilen",
  "Headers. The last of one name counts. `Authorization: Basic user:password` is encoded on the way.":
    "Kopfzeilen. Von gleichnamigen zählt die letzte. `Authorization: Basic user:password` wird unterwegs kodiert.",
  "Its name. Without one it is left out.": "Ihr Name. Ohne einen wird sie weggelassen.",
  "Its value. Without one it is left out.": "Ihr Wert. Ohne einen wird sie weggelassen.",
  "Query parameters": "Abfrageparameter",
  "Query parameters, put behind the address. One name may stand several times.":
    "Abfrageparameter, hinter die Adresse gesetzt. Ein Name darf mehrmals vorkommen.",
  Body: "Körper",
  "The body, where it is custom: values stand safely within the quotes of JSON.":
    "Der Körper, wo er ein eigener ist: Werte stehen sicher zwischen den Anführungszeichen von JSON.",
  "A body of your own": "Ein eigener Körper",
  "Whether `body` is sent; otherwise a JSON object with all answers and variables.":
    "Ob `body` gesendet wird; sonst ein JSON-Objekt mit allen Antworten und Variablen.",
  "Sent by the visitor's browser": "Vom Browser des Besuchers gesendet",
  "Whether the visitor's client sends the request, and the flow waits for its answer.":
    "Ob der Browser des Besuchers die Anfrage sendet und der Flow auf die Antwort wartet.",
  "What variables take from the answer, whatever its status.":
    "Was Variablen aus der Antwort nehmen, welchen Status sie auch hat.",
  "Values for trying it": "Werte zum Ausprobieren",
  "Kept for the editor, which tests requests; not used.":
    "Für den Editor behalten, der Anfragen ausprobiert; sonst nicht genutzt.",
  "Id of a variable.": "Eine Variable.",
  "The value that the variable has in a test.": "Der Wert, den die Variable beim Ausprobieren hat.",
  "Proxy credentials": "Zugangsdaten des Proxys",
  Timeout: "Zeitlimit",
  "Seconds to wait for an answer, retries included, at most 120.":
    "Sekunden, die auf eine Antwort gewartet wird, weitere Versuche eingeschlossen, höchstens 120.",
  "The visitor's client sends the request and reports the answer; values stand safely in the JSON.":
    "Der Browser des Besuchers sendet die Anfrage und meldet die Antwort; Werte stehen sicher im JSON.",
  "What the client is asked to send.": "Was der Browser senden soll.",
  "A block without a request does nothing.": "Ein Block ohne Anfrage tut nichts.",
  Zapier: "Zapier",
  "Sends what the flow knows to Zapier and waits for the answer, as the `Webhook` block does.":
    "Sendet, was der Flow weiß, an Zapier und wartet auf die Antwort, wie der Block „HTTP-Anfrage“.",
  "All answers and variables are sent, from the visitor's client where the author wants it so.":
    "Alle Antworten und Variablen werden gesendet, vom Browser des Besuchers, wo der Autor es so will.",
  "Until an address is known the block does nothing.": "Solange keine Adresse bekannt ist, tut der Block nichts.",
  "Make.com": "Make.com",
  "Sends what the flow knows to Make.com and waits for the answer, as the `Webhook` block does.":
    "Sendet, was der Flow weiß, an Make.com und wartet auf die Antwort, wie der Block „HTTP-Anfrage“.",
  Pabbly: "Pabbly",
  "Sends what the flow knows to Pabbly and waits for the answer, as the `Webhook` block does.":
    "Sendet, was der Flow weiß, an Pabbly und wartet auf die Antwort, wie der Block „HTTP-Anfrage“.",
  "Send email": "E-Mail senden",
  "Sends a mail after the step is saved; what came of it stands in the result's log.":
    "Sendet eine Mail, nachdem der Schritt gespeichert ist; was daraus wurde, steht im Protokoll des Ergebnisses.",
  "Mail server": "Mailserver",
  "Id of the workspace's credentials of the type `smtp`; `default`: the operator's mail server. Without one nothing is sent.":
    "Die Zugangsdaten des Arbeitsbereichs vom Typ `smtp`; `default`: der Mailserver des Betreibers. Ohne welche wird nichts gesendet.",
  Recipients: "Empfänger",
  "Whom the mail goes to. Without any the block does nothing.":
    "An wen die Mail geht. Ohne Empfänger tut der Block nichts.",
  "Copy to": "Kopie an",
  "Who gets a copy.": "Wer eine Kopie bekommt.",
  "Hidden copy to": "Verdeckte Kopie an",
  "Who gets a copy that the others do not see.": "Wer eine Kopie bekommt, die die anderen nicht sehen.",
  "Reply to": "Antworten an",
  "Where replies go. `Name <address>` also gives the sender that name.":
    "Wohin Antworten gehen. `Name <adresse>` gibt auch dem Absender diesen Namen.",
  Subject: "Betreff",
  "The subject.": "Der Betreff.",
  "The text of the mail.": "Der Text der Mail.",
  "Send the text above": "Den Text oben senden",
  "Whether `body` is sent; otherwise a list of all answers and variables. Absent: it is sent where there is one.":
    "Ob `body` gesendet wird; sonst eine Liste aller Antworten und Variablen. Leer: Er wird gesendet, wo es einen gibt.",
  "The text is HTML": "Der Text ist HTML",
  "Whether `body` is HTML; otherwise it is plain text.": "Ob `body` HTML ist; sonst ist es einfacher Text.",
  "Values are plain text": "Werte sind einfacher Text",
  "Whether values stand in such HTML as text; otherwise as HTML, whoever wrote them.":
    "Ob Werte in solchem HTML als Text stehen; sonst als HTML, wer auch immer sie geschrieben hat.",
  "Id of the variable that holds the addresses of attachments. Only files that visitors uploaded to this bot can be attached.":
    "Die Variable mit den Adressen der Anhänge. Nur Dateien, die Besucher zu diesem Bot hochgeladen haben, können angehängt werden.",
  "The visitor notices nothing of a mail.": "Der Besucher merkt von einer Mail nichts.",
  "Google Analytics": "Google Analytics",
  "Has the visitor's client send an event to Google Analytics; only in live chats.":
    "Lässt den Browser des Besuchers ein Ereignis an Google Analytics senden; nur in echten Chats.",
  "Google tag": "Google-Tag",
  "Id of the Google tag. The first one of a flow is loaded when a chat starts.":
    "Kennung des Google-Tags. Das erste eines Flows wird geladen, wenn ein Chat beginnt.",
  Category: "Kategorie",
  "Category of the event.": "Kategorie des Ereignisses.",
  Event: "Ereignis",
  "Name of the event.": "Name des Ereignisses.",
  "Label of the event.": "Beschriftung des Ereignisses.",
  "Value of the event.": "Wert des Ereignisses.",
  "Send to": "Senden an",
  "Id of the tag that the event goes to, where there are several.":
    "Kennung des Tags, an das das Ereignis geht, wo es mehrere gibt.",
  "The tag is loaded at the start. Texts that look like numbers are sent as numbers, and empty ones are left out.":
    "Das Tag wird am Anfang geladen. Texte, die wie Zahlen aussehen, werden als Zahlen gesendet, leere weggelassen.",
  "Meta Pixel": "Meta-Pixel",
  "Has the visitor's client send an event to a Meta pixel; only in live chats.":
    "Lässt den Browser des Besuchers ein Ereignis an ein Meta-Pixel senden; nur in echten Chats.",
  Pixel: "Pixel",
  "Id of the pixel. Without one nothing is sent.": "Kennung des Pixels. Ohne eine wird nichts gesendet.",
  "The page has loaded it": "Die Seite hat es schon geladen",
  "Whether the pixel is left out when a chat starts, because the page has loaded it.":
    "Ob das Pixel am Anfang eines Chats weggelassen wird, weil die Seite es geladen hat.",
  "The event. Without one nothing is sent, but the pixel is loaded.":
    "Das Ereignis. Ohne eines wird nichts gesendet, das Pixel aber geladen.",
  "Name of a `Custom` event.": "Name eines Ereignisses `Custom`.",
  Parameters: "Parameter",
  "What is sent with the event.": "Was mit dem Ereignis gesendet wird.",
  "Its id.": "Seine Kennung.",
  Key: "Schlüssel",
  "Name of the parameter.": "Name des Parameters.",
  "Value of the parameter.": "Wert des Parameters.",
  "Parameters take variables, and texts that look like numbers are sent as numbers.":
    "Parameter nehmen Variablen auf, und Texte, die wie Zahlen aussehen, werden als Zahlen gesendet.",
  "Without an event nothing is sent; the pixel is loaded at the start.":
    "Ohne Ereignis wird nichts gesendet; das Pixel wird am Anfang geladen.",
  Chatwoot: "Chatwoot",
  "Opens the Chatwoot widget in the visitor's page, so that people take over, or puts it away.":
    "Öffnet das Chatwoot-Fenster in der Seite des Besuchers, damit Menschen übernehmen, oder räumt es weg.",
  "What is done": "Was getan wird",
  "What is done.": "Was getan wird.",
  Server: "Server",
  "Address of the Chatwoot server.": "Adresse des Chatwoot-Servers.",
  "Website token": "Token der Website",
  "Token of the website inbox. Without one the widget cannot be shown.":
    "Token des Posteingangs der Website. Ohne eines kann das Fenster nicht gezeigt werden.",
  Visitor: "Besucher",
  "Who the visitor is.": "Wer der Besucher ist.",
  "Id of the visitor; absent: the e-mail address, as JavaScript: usually one variable.":
    "Kennung des Besuchers; leer: die E-Mail-Adresse; als JavaScript: meist eine Variable.",
  "E-mail address of the visitor, as JavaScript: usually one variable.":
    "E-Mail-Adresse des Besuchers, als JavaScript: meist eine Variable.",
  "Name of the visitor, as JavaScript: usually one variable.":
    "Name des Besuchers, als JavaScript: meist eine Variable.",
  "Address of the visitor's picture, as JavaScript: usually one variable.":
    "Adresse des Bildes des Besuchers, als JavaScript: meist eine Variable.",
  "Phone number of the visitor, as JavaScript: usually one variable.":
    "Telefonnummer des Besuchers, als JavaScript: meist eine Variable.",
  "The visitor's details are arguments of the script that opens the widget.":
    "Die Angaben zum Besucher sind Argumente des Skripts, das das Fenster öffnet.",
  "The widget is put away.": "Das Fenster wird weggeräumt.",
};
