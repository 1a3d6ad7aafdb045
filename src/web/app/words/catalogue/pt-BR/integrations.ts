/** Of what connects. */
export const integrations = {
  "HTTP request": "Requisição HTTP",
  "Sends an HTTP request, from here or from the visitor's client, and gives variables something of the answer.":
    "Envia uma requisição HTTP, daqui ou do navegador do visitante, e dá a variáveis algo da resposta.",
  Request: "Requisição",
  "The request. Without it the block does nothing.": "A requisição. Sem ela o bloco não faz nada.",
  "Id of the request in flows of older versions; not used.":
    "Id da requisição em fluxos de versões antigas; não usado.",
  Method: "Método",
  "What is done at the address.": "O que é feito no endereço.",
  "Where the request goes, over http or https. Addresses that are not public are refused.":
    "Para onde vai a requisição, por http ou https. Endereços que não são públicos são recusados.",
  Headers: "Cabeçalhos",
  "Headers. The last of one name counts. `Authorization: Basic user:password` is encoded on the way.":
    "Cabeçalhos. De um mesmo nome conta o último. `Authorization: Basic user:password` é codificado no caminho.",
  "Its name. Without one it is left out.": "O nome dele. Sem um, ele fica de fora.",
  "Its value. Without one it is left out.": "O valor dele. Sem um, ele fica de fora.",
  "Query parameters": "Parâmetros de consulta",
  "Query parameters, put behind the address. One name may stand several times.":
    "Parâmetros de consulta, postos depois do endereço. Um nome pode aparecer várias vezes.",
  Body: "Corpo",
  "The body, where it is custom: values stand safely within the quotes of JSON.":
    "O corpo, quando é próprio: valores ficam seguros entre as aspas do JSON.",
  "A body of your own": "Um corpo próprio",
  "Whether `body` is sent; otherwise a JSON object with all answers and variables.":
    "Se `body` é enviado; senão um objeto JSON com todas as respostas e variáveis.",
  "Sent by the visitor's browser": "Enviada pelo navegador do visitante",
  "Whether the visitor's client sends the request, and the flow waits for its answer.":
    "Se o navegador do visitante envia a requisição, e o fluxo espera a resposta.",
  "What variables take from the answer, whatever its status.":
    "O que as variáveis tiram da resposta, seja qual for o status.",
  "Values for trying it": "Valores para testar",
  "Kept for the editor, which tests requests; not used.": "Guardado para o editor, que testa requisições; não usado.",
  "Id of a variable.": "Uma variável.",
  "The value that the variable has in a test.": "O valor que a variável tem no teste.",
  "Proxy credentials": "Credenciais do proxy",
  Timeout: "Tempo limite",
  "Seconds to wait for an answer, retries included, at most 120.":
    "Segundos de espera por uma resposta, novas tentativas incluídas, no máximo 120.",
  "The visitor's client sends the request and reports the answer; values stand safely in the JSON.":
    "O navegador do visitante envia a requisição e relata a resposta; valores ficam seguros no JSON.",
  "What the client is asked to send.": "O que o navegador deve enviar.",
  "A block without a request does nothing.": "Um bloco sem requisição não faz nada.",
  Zapier: "Zapier",
  "Sends what the flow knows to Zapier and waits for the answer, as the `Webhook` block does.":
    "Envia o que o fluxo sabe ao Zapier e espera a resposta, como faz o bloco “Requisição HTTP”.",
  "All answers and variables are sent, from the visitor's client where the author wants it so.":
    "Todas as respostas e variáveis são enviadas, pelo navegador do visitante onde o autor quer assim.",
  "Until an address is known the block does nothing.": "Enquanto não há endereço, o bloco não faz nada.",
  "Make.com": "Make.com",
  "Sends what the flow knows to Make.com and waits for the answer, as the `Webhook` block does.":
    "Envia o que o fluxo sabe ao Make.com e espera a resposta, como faz o bloco “Requisição HTTP”.",
  Pabbly: "Pabbly",
  "Sends what the flow knows to Pabbly and waits for the answer, as the `Webhook` block does.":
    "Envia o que o fluxo sabe ao Pabbly e espera a resposta, como faz o bloco “Requisição HTTP”.",
  "Send email": "Enviar e-mail",
  "Sends a mail after the step is saved; what came of it stands in the result's log.":
    "Envia um e-mail depois que o passo é salvo; o que houve com ele fica no registro do resultado.",
  "Mail server": "Servidor de e-mail",
  "Id of the workspace's credentials of the type `smtp`; `default`: the operator's mail server. Without one nothing is sent.":
    "As credenciais do espaço de trabalho do tipo `smtp`; `default`: o servidor de e-mail do operador. Sem nenhuma, nada é enviado.",
  Recipients: "Destinatários",
  "Whom the mail goes to. Without any the block does nothing.":
    "Para quem vai o e-mail. Sem nenhum, o bloco não faz nada.",
  "Copy to": "Cópia para",
  "Who gets a copy.": "Quem recebe uma cópia.",
  "Hidden copy to": "Cópia oculta para",
  "Who gets a copy that the others do not see.": "Quem recebe uma cópia que os outros não veem.",
  "Reply to": "Responder a",
  "Where replies go. `Name <address>` also gives the sender that name.":
    "Para onde vão as respostas. `Nome <endereço>` também dá esse nome ao remetente.",
  Subject: "Assunto",
  "The subject.": "O assunto.",
  "The text of the mail.": "O texto do e-mail.",
  "Send the text above": "Enviar o texto acima",
  "Whether `body` is sent; otherwise a list of all answers and variables. Absent: it is sent where there is one.":
    "Se `body` é enviado; senão uma lista de todas as respostas e variáveis. Vazio: é enviado onde existe.",
  "The text is HTML": "O texto é HTML",
  "Whether `body` is HTML; otherwise it is plain text.": "Se `body` é HTML; senão é texto simples.",
  "Values are plain text": "Valores são texto simples",
  "Whether values stand in such HTML as text; otherwise as HTML, whoever wrote them.":
    "Se os valores entram nesse HTML como texto; senão como HTML, tenha quem tenha escrito.",
  "Id of the variable that holds the addresses of attachments. Only files that visitors uploaded to this bot can be attached.":
    "A variável com os endereços dos anexos. Só arquivos que visitantes enviaram a este bot podem ser anexados.",
  "The visitor notices nothing of a mail.": "O visitante não percebe nada de um e-mail.",
  "Google Analytics": "Google Analytics",
  "Has the visitor's client send an event to Google Analytics; only in live chats.":
    "Faz o navegador do visitante enviar um evento ao Google Analytics; só em conversas reais.",
  "Google tag": "Tag do Google",
  "Id of the Google tag. The first one of a flow is loaded when a chat starts.":
    "Id da tag do Google. A primeira de um fluxo é carregada quando uma conversa começa.",
  Category: "Categoria",
  "Category of the event.": "Categoria do evento.",
  Event: "Evento",
  "Name of the event.": "Nome do evento.",
  "Label of the event.": "Rótulo do evento.",
  "Value of the event.": "Valor do evento.",
  "Send to": "Enviar para",
  "Id of the tag that the event goes to, where there are several.":
    "Id da tag para onde vai o evento, quando há várias.",
  "The tag is loaded at the start. Texts that look like numbers are sent as numbers, and empty ones are left out.":
    "A tag é carregada no início. Textos que parecem números são enviados como números, e vazios ficam de fora.",
  "Meta Pixel": "Pixel da Meta",
  "Has the visitor's client send an event to a Meta pixel; only in live chats.":
    "Faz o navegador do visitante enviar um evento a um pixel da Meta; só em conversas reais.",
  Pixel: "Pixel",
  "Id of the pixel. Without one nothing is sent.": "Id do pixel. Sem um, nada é enviado.",
  "The page has loaded it": "A página já o carregou",
  "Whether the pixel is left out when a chat starts, because the page has loaded it.":
    "Se o pixel fica de fora quando uma conversa começa, porque a página já o carregou.",
  "The event. Without one nothing is sent, but the pixel is loaded.":
    "O evento. Sem um, nada é enviado, mas o pixel é carregado.",
  "Name of a `Custom` event.": "Nome de um evento `Custom`.",
  Parameters: "Parâmetros",
  "What is sent with the event.": "O que é enviado com o evento.",
  "Its id.": "O id dele.",
  Key: "Chave",
  "Name of the parameter.": "Nome do parâmetro.",
  "Value of the parameter.": "Valor do parâmetro.",
  "Parameters take variables, and texts that look like numbers are sent as numbers.":
    "Parâmetros aceitam variáveis, e textos que parecem números são enviados como números.",
  "Without an event nothing is sent; the pixel is loaded at the start.":
    "Sem evento nada é enviado; o pixel é carregado no início.",
  Chatwoot: "Chatwoot",
  "Opens the Chatwoot widget in the visitor's page, so that people take over, or puts it away.":
    "Abre a janela do Chatwoot na página do visitante, para que pessoas assumam, ou a guarda.",
  "What is done": "O que é feito",
  "What is done.": "O que é feito.",
  Server: "Servidor",
  "Address of the Chatwoot server.": "Endereço do servidor do Chatwoot.",
  "Website token": "Token do site",
  "Token of the website inbox. Without one the widget cannot be shown.":
    "Token da caixa de entrada do site. Sem um, a janela não pode ser mostrada.",
  Visitor: "Visitante",
  "Who the visitor is.": "Quem é o visitante.",
  "Id of the visitor; absent: the e-mail address, as JavaScript: usually one variable.":
    "Id do visitante; vazio: o endereço de e-mail; como JavaScript: em geral uma variável.",
  "E-mail address of the visitor, as JavaScript: usually one variable.":
    "Endereço de e-mail do visitante, como JavaScript: em geral uma variável.",
  "Name of the visitor, as JavaScript: usually one variable.":
    "Nome do visitante, como JavaScript: em geral uma variável.",
  "Address of the visitor's picture, as JavaScript: usually one variable.":
    "Endereço da foto do visitante, como JavaScript: em geral uma variável.",
  "Phone number of the visitor, as JavaScript: usually one variable.":
    "Telefone do visitante, como JavaScript: em geral uma variável.",
  "The visitor's details are arguments of the script that opens the widget.":
    "Os dados do visitante são argumentos do script que abre a janela.",
  "The widget is put away.": "A janela é guardada.",
};
