import type { CodeLanguage } from '../code-language.ts'

export const pt: CodeLanguage = {
  hints: ['codigo', 'código', 'senha', 'para confirm', 'para valid'],
  sure: [
    'c[oó]digo (?:de (?:verifica[cç][aã]o|seguran[cç]a|confirma[cç][aã]o|acesso|autentica[cç][aã]o|autoriza[cç][aã]o|ativa[cç][aã]o|valida[cç][aã]o|recupera[cç][aã]o|desbloqueio|uso [uú]nico|login)|tempor[aá]rio)',
    'senha (?:tempor[aá]ria|provis[oó]ria|de uso [uú]nico)',
  ],
  other: [
    'c[oó]digos? (?:(?:d[aeo]) )?(?:processo|protocolo|chamado|atendimento|ocorr[eê]ncia|solicita[cç][aã]o|transa[cç][aã]o|opera[cç][aã]o|rastreio|rastreamento|boleto|ag[eê]ncia|desconto|cupom|produto|erro|refer[eê]ncia|encomenda|afiliado|indica[cç][aã]o|c[oó]digo-fonte|pr[eê]mio|entrega da encomenda)',
  ],
  bare: ['c[oó]digos?', 'senha', 'pin'],
  identity: [
    'v[aá]lid[oa] (?:por|durante|at[eé])|entrar (?:na|em)|confirme (?:o |a )?(?:seu|sua)|fa(?:ça|zer) login|acess(?:ar|e|o)|senha|uso único|verific|autentic|expira|compartilhe',
  ],
  yours: ['seu', 'sua', 'teu', 'abaixo', 'seguinte', 'insira', 'informe', 'digite', 'use'],
  is: ['é', 'seguinte'],
  isYour: ['é (?:o |a )?(?:seu|sua|teu)'],
  enter: ['(?:insira|informe|digite|use|utilize)(?: o(?: código)?)?'],
  to: ['para', 'em', 'como'],
  purposes: ['entrar', 'acess', 'verific', 'confirm', 'redefin', 'ativ', 'conclu', 'valid', 'autori', 'login'],
  shop: ['desconto|cupom|frete grátis'],
  labels: [
    'processo|protocolo|chamado|atendimento|ocorr[eê]ncia|solicita[cç][aã]o|fatura|boleto|nota fiscal|ag[eê]ncia|conta|cpf|cnpj|encomenda|pedido|rastreio|matr[ií]cula|reserva',
  ],
  files: ['processo|protocolo|chamado|boleto|fatura|ag[eê]ncia|encomenda|alf[aâ]ndega|reembolso|imposto|multa|cart[aã]o'],
  meetings: [String.raw`\bid da reuni[aã]o\b|\bid do webinar`],
}
