/** The linter's findings, and how to mend them. `{1}` is the name of the part that a finding is about. */
export const findings = {
  "Do what the message says, or have the block ignore this rule.":
    "Faça o que a mensagem diz, ou deixe o bloco ignorar esta regra.",
  "This condition never holds: {1}.": "Esta condição nunca vale: {1}.",
  "it compares nothing": "ela não compara nada",
  "a comparison has no variable or no operator": "uma comparação não tem variável ou operador",
  "two of its comparisons exclude each other": "duas das comparações se excluem",
  "Complete the comparison, or remove the condition.": "Complete a comparação, ou remova a condição.",
  "This workspace does not have these credentials.": "Este espaço de trabalho não tem estas credenciais.",
  'These credentials are of the type "{1}": this block needs some of "{2}".':
    "Estas credenciais são do tipo “{1}”: este bloco precisa de “{2}”.",
  "Choose credentials of this workspace.": "Escolha credenciais deste espaço de trabalho.",
  "Where this condition holds, the chat ends without a word.":
    "Onde esta condição vale, a conversa termina sem dizer nada.",
  'Whoever chooses "{1}" reads nothing more: the chat ends.':
    "Quem escolhe “{1}” não lê mais nada: a conversa termina.",
  "Whoever chooses {1} reads nothing more: the chat ends.": "Quem escolhe {1} não lê mais nada: a conversa termina.",
  "Lead this way to a group: say goodbye there, if the chat shall end.":
    "Leve este caminho a um grupo: despeça-se ali, se a conversa deve terminar.",
  "An earlier item of this block has the same id, and a reply by it means that one.":
    "Um item anterior deste bloco tem o mesmo id, e uma resposta com ele vale para aquele.",
  "An item of another block has the same id.": "Um item de outro bloco tem o mesmo id.",
  "Give the item an id of its own.": "Dê ao item um id próprio.",
  "There is no block in this bot.": "Não há nenhum bloco neste bot.",
  "The start leads to no block, so chats begin with nothing.":
    "O início não leva a nenhum bloco: as conversas começam sem nada.",
  "Lead the start to a group that has blocks.": "Leve o início a um grupo que tenha blocos.",
  "This group is empty, so chats that come here end.": "Este grupo está vazio: conversas que chegam aqui terminam.",
  "This group is empty.": "Este grupo está vazio.",
  "Add a block, or remove the group.": "Adicione um bloco, ou remova o grupo.",
  "For some texts this regular expression takes far too long, and does not match.":
    "Para alguns textos esta expressão regular demora demais, e não corresponde.",
  "Write the repetition once: `a+`.": "Escreva a repetição uma vez só: `a+`.",
  "Who goes back undoes nothing: what integrations have sent or called since stays so, and they do it again on the way forward.":
    "Quem volta não desfaz nada: o que as integrações enviaram ou chamaram desde então fica, e acontece de novo no caminho adiante.",
  "Make sure that what is sent twice does no harm, or switch `settings.general.isGoBackEnabled` off.":
    "Garanta que o que é enviado duas vezes não faça mal, ou desligue a volta nas configurações.",
  "From this block the flow comes back to it again and again, and never waits or ends.":
    "Deste bloco o fluxo volta a ele sem parar, e nunca espera nem termina.",
  "Lead a way out of the circle, or let a block in it wait for the visitor.":
    "Leve um caminho para fora do círculo, ou deixe um bloco dele esperar o visitante.",
  "{1} on {2} has a contrast of {3}:1. {4} needs {5}:1 to be seen by all.":
    "{1} sobre {2} tem contraste de {3}:1. {4} precisa de {5}:1 para que todos vejam.",
  "{1} on {2} has a contrast of {3}:1. {4} needs {5}:1 to be seen by all. Pages use {6} for it.":
    "{1} sobre {2} tem contraste de {3}:1. {4} precisa de {5}:1 para que todos vejam. As páginas usam {6} no lugar.",
  Text: "Texto",
  "What marks a place": "O que marca um lugar",
  "What marks a chosen option": "O que marca uma opção escolhida",
  "Choose a darker or a lighter colour.": "Escolha uma cor mais escura ou mais clara.",
  'The command "{1}" leads nowhere: whoever gives it gets an error.':
    "O comando “{1}” não leva a nada: quem o dá recebe um erro.",
  "This event leads nowhere, so it does nothing.": "Este evento não leva a nada, e por isso não faz nada.",
  "Lead the event to a group, or remove it.": "Leve o evento a um grupo, ou remova-o.",
  "There is no start event, so chats begin with nothing.": "Não há evento de início: as conversas começam sem nada.",
  "Add a start event and lead it to the first group.": "Adicione um evento de início e leve-o ao primeiro grupo.",
  '"{1}" is empty here: it is written only later, or on other ways.':
    "“{1}” está vazia aqui: só é escrita depois, ou em outros caminhos.",
  "A bracket or a quote of this expression has no other one: it is a text.":
    "Falta o par de um parêntese ou de uma aspa: a expressão é um texto.",
  'A value is missing beside "{1}": the expression is a text.':
    "Falta um valor ao lado de “{1}”: a expressão é um texto.",
  '"{1}" has no brackets around it, so it is no variable here: the expression is a text.':
    "“{1}” está sem chaves, então não é uma variável aqui: a expressão é um texto.",
  '"{1}" is the name of nothing: the expression is a text.': "“{1}” não é o nome de nada: a expressão é um texto.",
  '"{1}" is mentioned within a text alone and has no value there: the expression is a text.':
    "“{1}” aparece só dentro de um texto e não tem valor ali: a expressão é um texto.",
  "Of values with commas between them only the last one counts.":
    "De valores com vírgulas entre eles só o último conta.",
  "Complete the expression; variables have double brackets around their names.":
    "Complete a expressão; os nomes das variáveis ficam entre chaves duplas.",
  "Join the values: put them into a list and call `join` on it.":
    "Junte os valores: ponha-os em uma lista e chame `join` nela.",
  "Write the variable before, or give it a value to begin with.":
    "Escreva a variável antes, ou dê a ela um valor inicial.",
  "This call is always refused: {1}.": "Esta chamada é sempre recusada: {1}.",
  this: "isto",
  "this is not a valid URL": "este não é um endereço válido",
  "only http and https can be called": "só http e https podem ser chamados",
  "the URL names no host": "o endereço não tem host",
  "this host cannot be called": "este host não pode ser chamado",
  "this address is not public": "este endereço não é público",
  "port {1} cannot be called": "a porta {1} não pode ser chamada",
  "this spelling of an IP address cannot be called": "esta escrita de um endereço IP não pode ser chamada",
  "Call a public address, or ask the operator to allow the host (`OUTGOING_ALLOW`).":
    "Chame um endereço público, ou peça ao operador que permita o host (`OUTGOING_ALLOW`).",
  "Wherever this condition holds, an earlier one holds too and is taken.":
    "Onde quer que esta condição valha, uma anterior também vale e é seguida.",
  "Put the narrower condition first, or remove it.": "Ponha a condição mais estreita primeiro, ou remova-a.",
  "No variable keeps this answer, and nothing in the flow follows from it.":
    "Nenhuma variável guarda esta resposta, e nada no fluxo depende dela.",
  "Choose a variable for the answer, if anything shall follow from it.":
    "Escolha uma variável para a resposta, se algo deve depender dela.",
  'Blocks of type "{1}" are not run here: they are passed over.': "Blocos do tipo “{1}” não rodam aqui: são pulados.",
  'Blocks of type "{1}" are passed over.': "Blocos do tipo “{1}” são pulados.",
  "Replace the block, or remove it.": "Substitua o bloco, ou remova-o.",
  "The bot that it links to is not in this workspace, or is not published.":
    "O bot a que ele se liga não está neste espaço de trabalho, ou não está publicado.",
  "Choose a bot of this workspace, and publish it.": "Escolha um bot deste espaço de trabalho, e publique-o.",
  "Its outgoing edge does not exist.": "A linha que sai daqui não existe.",
  "Draw the edge anew, or remove `outgoingEdgeId`.": "Trace a linha de novo, ou remova `outgoingEdgeId`.",
  "It jumps to a group that does not exist.": "Ele salta para um grupo que não existe.",
  "It jumps to a block that its group does not have.": "Ele salta para um bloco que o grupo não tem.",
  "It leads into a group that does not exist, so nothing of it runs.":
    "Ele leva a um grupo que não existe: nada dele roda.",
  "Choose a group that exists.": "Escolha um grupo que exista.",
  "Nothing reads this key.": "Nada lê esta chave.",
  "Check its spelling, or leave it: it does no harm.": "Confira a escrita, ou deixe: não faz mal.",
  "This word is not known and counts as absent.": "Esta palavra não é conhecida e conta como ausente.",
  "Choose one of the words that the field takes; `src/core/blocks/README.md` names them.":
    "Escolha uma das palavras que o campo aceita; `src/core/blocks/README.md` as lista.",
  "It leads to a block that its group does not have, so the group's last block runs.":
    "Ela leva a um bloco que o grupo não tem: roda o último bloco do grupo.",
  "It leads to a group that does not exist.": "Ela leva a um grupo que não existe.",
  "Lead the edge to a group that exists, or remove it.": "Leve a linha a um grupo que exista, ou remova-a.",
  "No variable has this id: the value is lost.": "Nenhuma variável tem este id: o valor se perde.",
  "No variable has this id: it is always empty.": "Nenhuma variável tem este id: está sempre vazia.",
  'No variable is named "{1}": nothing stands in its place.':
    "Nenhuma variável se chama “{1}”: nada fica no lugar dela.",
  "Choose a variable of this flow, or add one of this name.":
    "Escolha uma variável deste fluxo, ou adicione uma com este nome.",
  "Nothing leads to this group.": "Nada leva a este grupo.",
  "Lead an edge to the group, or remove it.": "Leve uma linha ao grupo, ou remova-o.",
  "Nothing follows this edge.": "Nada segue esta linha.",
  "Remove the edge.": "Remova a linha.",
  "It names no model, so nobody is asked: choose one.": "Ele não diz o modelo, e ninguém é perguntado: escolha um.",
  "It names no credentials, so nobody is asked: choose some.":
    "Ele não diz as credenciais, e ninguém é perguntado: escolha algumas.",
  'OpenAI switched the Assistants API off on 2026-08-26: use the action "Ask Model"':
    "A OpenAI desligou a API de assistentes em 26/8/2026: use “Perguntar ao modelo”",
  "Visitors' words stand in this mail as HTML. Set isEscaped: true shows them as text, false says that you want them so.":
    "As palavras dos visitantes ficam neste e-mail como HTML. Defina “Valores são texto simples”: ligado as mostra como texto, desligado diz que você quer assim.",
  "No payment provider is connected here, so chats end at this block. Choose where the flow goes on: “When it cannot be taken” in its form.":
    "Nenhum provedor de pagamento está conectado aqui, e as conversas terminam neste bloco. Escolha no formulário, em “Quando não dá para pagar”, por onde o fluxo segue.",
};
