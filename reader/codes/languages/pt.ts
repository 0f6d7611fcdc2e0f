import { type CodeLanguage, words } from '../code-language.ts'

export const pt: CodeLanguage = {
  hints: words`chave (?:de acesso|tempor)|token|codigo|código|senha|para confirm|para valid`,
  sure: words`
    (?:chave|c[oó]digo|senha) (?:tempor[aá]ri[ao]|[uú]nic[ao]|provis[oó]ri[ao]) de (?:acesso|verifica[cç][aã]o|seguran[cç]a|login)
    (?:c[oó]digo|pin|n[uú]mero|chave|token) (?:de |do |da )?(?:assinatura|dispositivo|confirma[cç][aã]o|verifica[cç][aã]o|seguran[cç]a
      |acesso|login|vincula[cç][aã]o|liga[cç][aã]o)
    c[oó]digo (?:sms|de (?:quatro|cinco|seis|oito|4|5|6|8) d[ií]gitos|[uú]nico|para (?:entrar|acessar|aceder|confirmar|verificar
      |redefinir|concluir))
    c[oó]digo (?:de (?:verifica[cç][aã]o|seguran[cç]a|confirma[cç][aã]o|acesso|autentica[cç][aã]o|autoriza[cç][aã]o|ativa[cç][aã]o
      |valida[cç][aã]o|recupera[cç][aã]o|desbloqueio|uso [uú]nico|login|emparelhamento|pareamento|cadastro|registo)|tempor[aá]rio)
    senha (?:tempor[aá]ria|provis[oó]ria|de uso [uú]nico)
  `,
  other: words`
    c[oó]digo de (?:verifica[cç][aã]o|autenticidade) do documento
    c[oó]digo (?:da porta|do port[aã]o|do pr[eé]dio|de retirada|de levantamento|do wi-?fi)
    c[oó]digos? (?:(?:d[aeo]) )?(?:processo|protocolo|chamado|atendimento|ocorr[eê]ncia|solicita[cç][aã]o|transa[cç][aã]o
      |opera[cç][aã]o|rastreio|rastreamento|boleto|ag[eê]ncia|desconto|cupom|produto|erro|refer[eê]ncia|encomenda|afiliado
      |indica[cç][aã]o|c[oó]digo-fonte|pr[eê]mio|entrega da encomenda)
  `,
  bare: words`c[oó]digos?|senha|pin|token`,
  identity: words`
    autoriz|aprov|confirm(?:ar|e) (?:a|o|sua|seu|tua|teu)|v[aá]lid[oa] (?:por|durante|at[eé])|entrar (?:na|em)
    confirme (?:o |a )?(?:seu|sua)|fa(?:ça|zer) login|inici(?:ar|e) sess[aã]o|acess(?:ar|e|o)|senha|uso único|internet banking
    você mesmo|é mesmo você|[eé] seu mesmo|verific|autentic|expira|compartilhe
  `,
  yours: words`seu|sua|teu|abaixo|seguinte|insira|informe|digite|use`,
  is: words`é|seguinte`,
  isYour: words`é (?:o |a )?(?:seu|sua|teu)`,
  enter: words`(?:com|insira|informe|digite|use|utilize)(?: o(?: código)?)?`,
  to: words`você pode|pode|você (?=entra)|para|em|como`,
  purposes: words`aprov|entrar|acess|verific|confirm|redefin|ativ|conclu|valid|autori|login`,
  shop: words`amig[oa]s|carrinho|desconto|cupom|frete grátis`,
  labels: words`
    processo|protocolo|chamado|atendimento|(?:id da )?transa[cç][aã]o|ocorr[eê]ncia|solicita[cç][aã]o|fatura|boleto|nota fiscal
    ag[eê]ncia|conta|cpf|cnpj|encomenda|pedido|rastreio|matr[ií]cula|reserva
  `,
  files: words`
    processo|protocolo|chamado|boleto|fatura|ag[eê]ncia|encomenda|alf[aâ]ndega|reembolso|imposto|multa|cart[aã]o
    cpf (?:irregular|pendente|suspenso|bloqueado)|contribuinte|pend[eê]ncias?|tributos?|restitui[cç][aã]o
  `,
  meetings: words`\bid da reuni[aã]o\b|\bid do webinar`,
  reports: words`erros?|falh(?:a|ou|aram)|recusad[oa]s?|rejeitad[oa]s?|avaria`,
  doors: words`porta|port[aã]o|fechadura|arm[aá]rio|interfone`,
  told: words`mostre|mostra-|apresent[ea]|(?<!nem |nem com )(?:ao|o|seu) (?:entregador|estafeta|motoboy|motorista|carteiro)`,
  enters: words`
    (?:us[ae]|utiliz[ae])\b(?= [^.]{0,25}(?:dígitos|números|algarismos|caracteres))|digit[ae]|indi(?:que|car)\b|insir[ae]|inserir
    introdu[zs]|escrev[ae]|col(?:a|e|ar)\b|copi[ae]|preench|informe(?= (?:o|os|no|na) | ?:)|coloque|colo(?:ca|car)\b
    informar(?= (?:o|os|no|na)|:)
  `,
  places: words`
    (?:apps?|aplicativo|aplica[cç][aã]o|p[aá]gina|formul[aá]rio|site|campo|tela|ecr[aã]|caixa|janela|configura[cç][oõ]es
      |defini[cç][oõ]es|navegador|portal|aba|banking)\b
  `,
  digits: words`(?:d[ií]gitos|n[uú]meros|algarismos|caracteres|letras)\b`,
  numbers: words`(?:d[ií]gitos|n[uú]meros?|algarismos|caracteres|letras)\b`,
  asks: words`pede|pedir|pedem|solicita|pergunta|vai pedir`,
  cards: words`(?:e|com) (?:os dados|o n[uú]mero) d[oe] (?:seu )?cart[aã]o`,
  expired: words`
    (?:expirou|venceu|caducou)|j[aá] n[aã]o [eé] v[aá]lid
    (?:n[aã]o|j[aá] n[aã]o) (?:[eé] |est[aá] )?(?:vale|v[aá]lid\p{L}|serve|funciona|pode ser usad\p{L})(?: mais|$)|n[aã]o vale mais
    perdeu a validade|(?:est[aá]|foi) expirad|n[aã]o (?:corresponde|confere)
  `,
  fraud: words`golpe|golpista|fraude|phishing|burla|(?:e-?mails|mensagens|sms) fals`,
  bills: words`fatura|boleto|recibo|extrato|pagamento|transfer[eê]ncia|pix\b|pedido|compra|encomenda|envio|entrega|reembolso`,
  warns: words`(?:nunca|jamais|não) .{0,12}(?:pedi|solicita|pergunta|ligam)`,
  three: words`(?:tr[eê]s|3) (?:d[ií]gitos|algarismos)`,
  approves: words`autoriz[ae]r?\b|aprov[ae]r?\b|assinar\b|comprov(?:e|ar)\b`,
  confirms: words`
    (?:excluir|eliminar) (?:definitiva|permanente)mente
    confirm(?:e|ar|a|o)\b|verifi(?:que|car|ca)\b|ativ(?:e|ar|a|á-lo)\b|valid(?:e|ar)\b
    (?:conclu|complet|finaliz)\p{L}{0,3}.{0,20}(?:cadastro|registo|registro|inscri)|redefin|repor
    (?:criar?|cri(?:e|a)|escolh|defin|nova).{0,15}(?:senha|palavra)|link m[aá]gico|aceitar.{0,20}convite|desbloque|esquec.{0,15}senha
    troc(?:ar|a|e)\b.{0,10}senha|alter(?:ar|e)\b.{0,10}senha
  `,
  signsIn: words`entrar (?:na|em|no|sem|agora)|acessar (?:a )?(?:minha )?conta|fazer login|iniciar sess|login|acesso`,
  invites: words`convid(?:a|ou|aram) (?:voc[eê]|-o|-a)|te convid|convite`,
  accepts: words`participar|entrar n[ao]|aceitar`,
  here: words`(?:(?:clique|toque|clica|carregue) )?(?:aqui|neste link|este link|no link|sim[^?]{0,40}|continuar|entrar)`,
  besides: words`
    descadastr|cancelar|privacidade|termos|ajuda|suporte|denunci|n[aã]o (?:foi|fui|[eé]|pediu|solicit|reconhec)|configura|pedido|fatura
    rastre|reserva|hor[aá]rio|prote[gj]|encomenda|alf[aâ]ndega|reembolso|restitui|multa|entrega
  `,
  alerts: words`
    alerta|aviso de seguran|novo (?:acesso|login|dispositivo)|novo in[ií]cio|senha (?:foi )?alterad|suspeit|incomum|golpe|fraude|burla
  `,
  ignored: words`
    ignor(?:e|ar|a)\b|desconsider|n[aã]o (?:precisa|tem de|[eé] preciso|h[aá]) (?:de )?(?:fazer )?nada|n[aã]o fa[cç]a nada
    nada (?:ser[aá]|acontec)|apague (?:este|esta)|exclua est
  `,
  lasts: words`(?:link|liga[cç][aã]o)\b[^.!?]{0,40}(?:expira|v[aá]lid|vence|funciona|uma (?:[uú]nica )?vez)`,
  nearlyDone: words`
    (?:s[oó]|apenas|falta|mais|[uú]ltimo|um) (?:s[oó] |mais )?(?:um )?(?:clique|passo)\b|quase (?:l[aá]|pront|feito)|[uú]ltima etapa
  `,
  travel: words`voo|hotel|noites|estadia|alojamento|hospedagem|embarque|reserva|bilhete|check-in`,
}
