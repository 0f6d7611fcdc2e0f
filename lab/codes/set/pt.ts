/** Labelled mails in Portuguese, of Brazil and of Portugal. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'código no meio da frase',
    subject: 'Seu código de acesso chegou',
    text: `Oi, Thiago!

Use o código 274 903 pra entrar no app da Feirinha. Ele vale por 10 minutos.

Não foi você? Relaxa, é só ignorar.

Feirinha Ltda. CNPJ 04.829.130/0001-77`,
    code: '274903',
    link: null,
  },
  {
    name: 'token bancário',
    subject: 'Token para PIX de R$ 1.200,00',
    html: `<p>Olá, Sra. Beatriz.</p><table><tr><td>Valor</td><td>R$ 1.200,00</td></tr><tr><td>Para</td><td>CPF ***.441.820-**</td></tr><tr><td>Token</td><td style="font-size:30px;color:#ff6200">83301</td></tr></table><p>Digite o token no internet banking. O Banco Araucária não liga pedindo token.</p>`,
    code: '83301',
    link: null,
  },
  {
    name: 'português europeu',
    subject: 'Código de confirmação',
    text: `Caro cliente,

O código de confirmação que solicitou é o seguinte:

60 41 88

Introduza-o no ecrã de registo no prazo de 15 minutos.

Melhores cumprimentos,
Elétrica do Mondego, NIF 504 882 917`,
    code: '604188',
    link: null,
  },
  {
    name: 'código no assunto',
    subject: 'Patinete: 1984 é o seu código',
    html: `<p>Copie o código do assunto e cole no app. Boa viagem! 🛴</p>`,
    text: `Copie o código do assunto e cole no app. Boa viagem! 🛴`,
    code: '1984',
    link: null,
  },
  {
    name: 'letras e números',
    subject: 'Ative sua TV',
    html: `<p>No celular, abra <b>novelas.example/ativar</b> e informe:</p><p style="font:bold 36px monospace">DK9-X4H</p><p>O hífen faz parte do código. Protocolo 2026112300418.</p>`,
    text: `No celular, abra novelas.example/ativar e informe:

DK9-X4H

O hífen faz parte do código. Protocolo 2026112300418.`,
    code: 'DK9-X4H',
    link: null,
  },
  {
    name: 'redefinição por código',
    subject: 'Redefinição de senha',
    text: `Recebemos seu pedido de nova senha para a conta j***o@inbox.example.

Informe 0093 7715 na tela de redefinição.

Número da conta: 20418-8
Pedido feito em 23/11/2026 às 08:14`,
    code: '00937715',
    link: null,
  },
  {
    name: 'código e ligação de acesso',
    subject: 'Iniciar sessão no Caderneta',
    html: `<p>Carregue no botão para iniciar sessão:</p><a href="https://caderneta.example/sessao?chave=aa07c1&amp;v=2" style="background:#006d77;color:#fff">Iniciar sessão</a><p>Prefere escrever? O código é <b>551 720</b>.</p><p><a href="https://caderneta.example/remover/3308">Deixar de receber</a></p>`,
    code: '551720',
    link: 'https://caderneta.example/sessao?chave=aa07c1&v=2',
  },
  {
    name: 'bilingue',
    subject: 'Código de verificação / Verification code',
    text: `Código de verificação: 904178 / Verification code: 904178

Azulejo Airways - reserva/booking YQ7T2L`,
    html: `<p>Código de verificação: <b>904178</b><br>Verification code: <b>904178</b></p><p>Azulejo Airways - reserva/booking YQ7T2L</p>`,
    code: '904178',
    link: null,
  },
  {
    name: 'portal do governo',
    subject: 'Acesso ao Portal do Cidadão',
    text: `Processo: 26.0.000044182-7
Interessado(a): ANA P. SOUZA
Código de segurança: 7KQ2MB
Validade: 30 minutos

Prefeitura de Serra Dourada, CEP 75680-000`,
    code: '7KQ2MB',
    link: null,
  },
  {
    name: 'dígitos separados',
    subject: 'Falta pouco!',
    html: `<p>Digita aí na tela de cadastro:</p><p><span style="color:#9d0208">3</span>&nbsp;<span style="color:#9d0208">3</span>&nbsp;<span style="color:#9d0208">0</span>&nbsp;<span style="color:#9d0208">8</span>&nbsp;<span style="color:#9d0208">1</span>&nbsp;<span style="color:#9d0208">4</span></p><p>Turma da Padoca, (11) 5555-0133</p>`,
    text: `Digita aí na tela de cadastro:

3 3 0 8 1 4

Turma da Padoca, (11) 5555-0133`,
    code: '330814',
    link: null,
  },
  {
    name: 'boleto',
    subject: 'Seu boleto vence em 05/12',
    text: `Nosso número: 00048291307-7
Valor: R$ 189,90
Linha digitável:
23793.38128 60048.291307 77000.063305 1 99880000018990

Autoatendimento: (21) 5555-0120`,
    code: null,
    link: null,
  },
  {
    name: 'cupom',
    subject: 'CUPOM: PRIMEIRA15 🔥',
    html: `<div style="background:#d00000;color:#ffba08"><h2>15% OFF na primeira compra</h2><p>Insira o código no carrinho:</p><h1>PRIMEIRA15</h1></div><p>Válido até 30/11/2026. <a href="https://lojinha.example/c?x=301126">Aproveitar</a> | <a href="https://lojinha.example/descadastro?e=4471820">Descadastrar</a></p>`,
    text: `15% OFF na primeira compra
Insira o código no carrinho: PRIMEIRA15
Válido até 30/11/2026.`,
    code: null,
    link: null,
  },
  {
    name: 'código por SMS',
    subject: 'Confirme que é você',
    text: `Enviámos um código de 6 algarismos por SMS para o número 91* *** 417. Introduza-o na página para continuar.

Não recebeu? Ligue 800 555 014 e indique o pedido 882041.`,
    code: null,
    link: null,
  },
  {
    name: 'taxa de alfândega',
    subject: '449021',
    html: `<p>A sua encomenda 449021 está retida na alfândega.</p><p>Pague 1,79 € para desbloquear: <a href="https://ctt-taxas.example/449021">pagar</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'golpe do código',
    subject: 'Não caia no golpe do código',
    html: `<p>Alguém pediu “aquele código de 6 números que chegou por engano”? <b>É golpe.</b> Nunca compartilhe códigos de verificação nem sua senha.</p><p>Dica nº 118 · Banco Araucária · 0800 555 0199</p>`,
    text: `Alguém pediu “aquele código de 6 números que chegou por engano”? É golpe. Nunca compartilhe códigos de verificação nem sua senha.

Dica nº 118 · Banco Araucária · 0800 555 0199`,
    code: null,
    link: null,
  },
  {
    name: 'confirmar e-mail',
    subject: 'Confirme seu e-mail para começar',
    html: `<h2>Bem-vinda, Carol!</h2><p><a href="https://conta.livraria-ipe.example/confirma/e-mail?t=8817c0fa&amp;u=204">Confirmar meu e-mail</a></p><p>Depois disso, conheça os <a href="https://livraria-ipe.example/lancamentos/112026">lançamentos do mês</a>.</p>`,
    code: null,
    link: 'https://conta.livraria-ipe.example/confirma/e-mail?t=8817c0fa&u=204',
  },
  {
    name: 'recuperar palavra-passe',
    subject: 'Recuperar palavra-passe',
    text: `Olá,

para definir uma nova palavra-passe siga esta ligação (válida durante 1 hora):

https://area.aguasdonorte.example/recuperar/19c4-0b77-e2

Se não fez este pedido, contacte-nos: https://aguasdonorte.example/contactos
N.º de cliente 7700418`,
    code: null,
    link: 'https://area.aguasdonorte.example/recuperar/19c4-0b77-e2',
  },
  {
    name: 'novo acesso',
    subject: 'Novo acesso à sua conta',
    text: `Detectamos um novo acesso:
22/11/2026 22:58
Recife, PE
IP 203.0.113.129

Não reconhece? Proteja sua conta: https://conta.patinete.example/proteger?a=77120`,
    html: `<p>Detectamos um novo acesso: 22/11/2026 22:58, Recife, PE, IP 203.0.113.129</p><p>Não reconhece? <a href="https://conta.patinete.example/proteger?a=77120">Proteja sua conta</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'nota fiscal',
    subject: 'NF-e 000.482.913 emitida',
    html: `<p>Chave de acesso: 3126 1104 8291 3000 0177 5500 1000 4829 1310 0048 2917</p><p>Série 1 · Valor R$ 312,40</p><p><a href="https://nfe.marcenaria.example/482913.pdf">Baixar DANFE</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'código expirado',
    subject: 'Seu código expirou',
    text: `O código 118 204 não vale mais. Abra o app e toque em "Enviar de novo".`,
    code: null,
    link: null,
  },
  {
    name: 'atendimento',
    subject: 'Re: [#884120] Não recebo o código',
    text: `Olá, Renata!

Abrimos o chamado 884120. O prazo de resposta é de 2 dias úteis. Se o código continuar sem chegar, veja a caixa de spam.

Luan - Suporte`,
    code: null,
    link: null,
  },
  {
    name: 'número do pedido do mesmo tamanho',
    subject: 'Pedido 551820: confirme a troca de endereço',
    html: `<p>Para trocar o endereço do pedido <b>551820</b>, precisamos saber se é você mesmo.</p><p>Código: <b>276019</b></p><p>Cliente 118204</p>`,
    text: `Para trocar o endereço do pedido 551820, precisamos saber se é você mesmo.

Código: 276019

Cliente 118204`,
    code: '276019',
    link: null,
  },
  {
    name: 'senha provisória',
    subject: 'Acesso ao diário escolar',
    html: `<p>Senhores pais,</p><p>a senha provisória é <code>kR82mWt5</code> (diferencia maiúsculas de minúsculas). Troque no primeiro acesso.</p><p>Escola Municipal 118, (31) 5555-0170</p>`,
    code: 'kR82mWt5',
    link: null,
    kind: 'password',
  },
  {
    name: 'ativar cartão da biblioteca',
    subject: 'Ative o seu cartão de leitor',
    html: `<p>O cartão n.º 0048291 está pronto. <a href="https://biblioteca-pt.example/ativar?c=48291&amp;k=0e7c">Ativar cartão</a></p><p><a href="https://biblioteca-pt.example/horario">Horário</a></p>`,
    code: null,
    link: 'https://biblioteca-pt.example/ativar?c=48291&k=0e7c',
  },
  {
    name: 'outros códigos',
    subject: 'Código de erro 40312',
    html: `<p>O leitor acusa o código de erro 40312 no código de barras 7891234567895. Código do banco: 341. CEP do depósito: 06420-000.</p>`,
    text: `O leitor acusa o código de erro 40312 no código de barras 7891234567895. Código do banco: 341. CEP do depósito: 06420-000.`,
    code: null,
    link: null,
  },
  {
    name: 'indique um amigo',
    subject: 'Ganhe R$ 20 por indicação',
    html: `<p>Seu código de indicação: <b>THIAGO447</b>. Quando um amigo colocar no cadastro, vocês dois ganham R$ 20.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'cabeçalho e código na linha de baixo',
    subject: 'Dados de acesso provisórios',
    html: `<table><tr><th>Matrícula</th><th>Senha de uso único</th></tr><tr><td>330718</td><td>915 604</td></tr></table><p>Secretaria acadêmica, ramal 4471</p>`,
    text: `Matrícula: 330718
Senha de uso único: 915 604`,
    code: '915604',
    link: null,
  },
  {
    name: 'leitura do contador',
    subject: 'Leitura recebida',
    text: `Leitura: 048291
N.º do contador: 30774118
CPE: PT 0002 0004 8291 3077 18

Obrigado!`,
    code: null,
    link: null,
  },
]
