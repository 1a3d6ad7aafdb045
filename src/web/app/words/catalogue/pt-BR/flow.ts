/** Of events, and the parts of a flow that are no blocks. */
export const flow = {
  Start: "Início",
  "Where a chat begins.": "Onde uma conversa começa.",
  Command: "Comando",
  "Runs when the page that shows the chat sends a command, whatever the chat waits for.":
    "Roda quando a página que mostra a conversa envia um comando, espere a conversa o que esperar.",
  "`command`: the command that it listens for.": "`command`: o comando que ele escuta.",
  "Go back afterwards": "Voltar depois",
  "`command`: whether the chat goes back to where it was, without a Return block.":
    "`command`: se a conversa volta para onde estava, sem um bloco “Voltar”.",
  Reply: "Resposta",
  "Runs with each reply that was accepted, before the flow goes on.":
    "Roda a cada resposta aceita, antes de o fluxo continuar.",
  "Save reply in": "Salvar resposta em",
  "`reply`, `invalidReply`: id of the variable that the reply is written to.":
    "`reply`, `invalidReply`: a variável em que a resposta é escrita.",
  "Save the group's title in": "Salvar título do grupo em",
  "`reply`, `invalidReply`: id of the variable for the title of the input's group.":
    "`reply`, `invalidReply`: a variável para o título do grupo da entrada.",
  "Save the input's type in": "Salvar tipo da entrada em",
  "`reply`, `invalidReply`: id of the variable for the type of the input.":
    "`reply`, `invalidReply`: a variável para o tipo da entrada.",
  "Invalid reply": "Resposta inválida",
  "Runs when a reply is refused, in place of asking again at once.":
    "Roda quando uma resposta é recusada, em vez de perguntar de novo na hora.",
  "Its id, unique among the events of the flow.": "O id dele, único entre os eventos do fluxo.",
  "`start`, `command`, `reply` or `invalidReply`.": "`start`, `command`, `reply` ou `invalidReply`.",
  Place: "Lugar",
  "Where an editor draws it.": "Onde um editor o desenha.",
  X: "X",
  "To the right.": "Para a direita.",
  Y: "Y",
  "Downwards.": "Para baixo.",
  "Id of the edge that the chat takes then.": "Id da aresta que a conversa segue então.",
  "A variable of a flow.": "Uma variável de um fluxo.",
  "Its id, unique among the variables of the flow.": "O id dela, único entre as variáveis do fluxo.",
  "What texts insert it by: `{{name}}`.": "Como os textos a inserem: `{{name}}`.",
  "Leave out of results": "Fora dos resultados",
  "Whether results leave it out.": "Se os resultados a deixam de fora.",
  "Start value": "Valor inicial",
  "What it holds when a chat begins.": "O que ela contém quando uma conversa começa.",
  "Blocks that follow each other, until one of them leads elsewhere.":
    "Blocos que se seguem, até que um deles leve a outro lugar.",
  "Its id, unique among the groups of the flow.": "O id dele, único entre os grupos do fluxo.",
  "What the editor shows above it.": "O que o editor mostra acima dele.",
  Blocks: "Blocos",
  "What happens in it, one after the other.": "O que acontece nele, um depois do outro.",
  "Outgoing edge": "Aresta de saída",
  "A way from a block, an item or an event to a group. One that leads nowhere is kept, and reported.":
    "Um caminho de um bloco, item ou evento até um grupo. Um que não leva a nada fica, e é relatado.",
  "Its id, unique among the edges of the flow.": "O id dela, único entre as arestas do fluxo.",
  "Where it comes from.": "De onde ela vem.",
  "Id of the block that it leaves.": "Id do bloco de que ela sai.",
  "Id of the item of that block, where it leaves one.": "Id do item desse bloco, quando ela sai de um.",
  "Id of the button of that card, where it leaves one.": "Id do botão desse cartão, quando ela sai de um.",
  "Id of the event that it leaves, in place of a block.": "Id do evento de que ela sai, no lugar de um bloco.",
  "Where it leads.": "Para onde ela leva.",
  "Id of the group that it leads to.": "Id do grupo a que ela leva.",
  "Id of the block of that group; absent: its first.": "Id do bloco desse grupo; vazio: o primeiro.",
  "When a chat begins": "Quando uma conversa começa",
  "With each reply": "A cada resposta",
  "With each reply that is refused": "A cada resposta recusada",
};
