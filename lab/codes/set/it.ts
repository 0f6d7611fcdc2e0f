/** Labelled mails in Italian. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'codice OTP su riga propria',
    subject: 'Il tuo codice OTP',
    text: `Gentile cliente,

per confermare l'accesso all'Area Personale inserisca il codice OTP

    837 415

entro 3 minuti. Il codice è strettamente personale.

Banca del Tirreno S.p.A. - P. IVA 04829130771`,
    code: '837415',
    link: null,
  },
  {
    name: 'codice prima della spiegazione',
    subject: '90417 è il tuo codice Monopattinù',
    html: `<p style="font-size:26px"><b>90417</b></p><p>Ciao Giulia! È il codice che ti serve per entrare nell'app. Tra 10 minuti si autodistrugge 💥</p>`,
    code: '90417',
    link: null,
  },
  {
    name: 'acquisto online con carta',
    subject: 'Autorizza il pagamento di 74,50 EUR',
    html: `<table><tr><td>Esercente</td><td>CASA &amp; CUCINA SRL</td></tr><tr><td>Importo</td><td>74,50 EUR</td></tr><tr><td>Carta</td><td>**** 3307</td></tr></table><p>Codice autorizzativo da digitare sul sito: <span style="background:#fff4c2">20418836</span></p><p>Numero verde 800 555 017</p>`,
    text: `Esercente: CASA & CUCINA SRL
Importo: 74,50 EUR
Carta: **** 3307

Codice autorizzativo da digitare sul sito: 20418836`,
    code: '20418836',
    link: null,
  },
  {
    name: 'comune, pratica e codice',
    subject: 'Sportello telematico - pratica 4418/2026',
    text: `Egregio sig. Esposito,

in riferimento alla pratica 4418/2026 (prot. 0030917) Le trasmettiamo il codice di verifica richiesto: QZ7-41K.

Il codice, completo di trattino, va riportato nel campo "Verifica e-mail" del modulo online.

Comune di Roccafiorita, Via Roma 12, 04010`,
    code: 'QZ7-41K',
    link: null,
  },
  {
    name: 'password dimenticata',
    subject: 'Hai dimenticato la password?',
    html: `<p>Succede! Scrivi questi numeri nella pagina che hai lasciato aperta:</p><p style="letter-spacing:12px;color:#2b9348">661 209</p><p>Se non sei stato tu, lascia perdere: nessuno può entrare senza.</p><p>Panificio Digitale, tessera fedeltà 2000417733918</p>`,
    text: `Succede! Scrivi questi numeri nella pagina che hai lasciato aperta:

661 209

Se non sei stato tu, lascia perdere: nessuno può entrare senza.`,
    code: '661209',
    link: null,
  },
  {
    name: 'italiano e tedesco',
    subject: 'Codice di accesso / Zugangscode',
    text: `Codice di accesso: 5083
Zugangscode: 5083

Funivie Alpe Chiara / Seilbahnen Lichtalm, 39046 Ortisei/St. Ulrich
Prenotazione/Buchung 118-2204`,
    code: '5083',
    link: null,
  },
  {
    name: 'codice e link magico',
    subject: 'Entra in Ricettario',
    html: `<a href="https://ricettario.example/entra?chiave=8e10cc&amp;p=it" style="background:#ff7f50">Entra subito</a><p>Oppure copia il codice: <tt>MX48PT</tt></p><p><a href="https://ricettario.example/disiscrivi?n=20417">Disiscriviti</a></p>`,
    text: `Entra subito: https://ricettario.example/entra?chiave=8e10cc&p=it

Oppure copia il codice: MX48PT

Disiscriviti: https://ricettario.example/disiscrivi?n=20417`,
    code: 'MX48PT',
    link: 'https://ricettario.example/entra?chiave=8e10cc&p=it',
  },
  {
    name: 'frase colloquiale',
    subject: 'Ultimo passaggio',
    text: `Ciao Ale, per essere sicuri che l'indirizzo sia tuo ti chiediamo di digitare 014-772 nella schermata di registrazione. Grazie e a presto, lo staff di Bottega 31`,
    code: '014772',
    link: null,
  },
  {
    name: 'firma digitale',
    subject: 'Documento da firmare: Proposta n. 88-2026',
    html: `<p>Gent.ma dott.ssa Rinaldi,</p><p>per apporre la firma sulla Proposta n. 88-2026 utilizzi il PIN temporaneo <b>772904</b>, valido fino alle ore 18:30 del 23/11/2026.</p><p style="color:#445500">Assicurazioni Levante, agenzia 0417</p>`,
    code: '772904',
    link: null,
  },
  {
    name: 'cella grande',
    subject: 'Verifica il tuo indirizzo email',
    html: `<div style="display:none">Codice valido 15 minuti&nbsp;&zwnj;</div><table bgcolor="#fafafa"><tr><td><img src="https://static.cinelandia.example/logo-2026.png"></td></tr><tr><td>Inserisci il codice di verifica:</td></tr><tr><td align="center"><font size="7" color="#800020">338 056</font></td></tr><tr><td>Cinelandia, tel. 06 5555 0142</td></tr></table>`,
    code: '338056',
    link: null,
  },
  {
    name: 'ritiro del pacco, numero di spedizione',
    subject: 'Spedizione 7H00418827IT in consegna oggi',
    text: `Il corriere passerà tra le 14:00 e le 16:00.

Spedizione: 7H00418827IT
Contrassegno: 0,00 €
CAP 20121

https://traccia.velocorriere.example/7H00418827IT`,
    code: null,
    link: null,
  },
  {
    name: 'codice sconto',
    subject: 'Solo per te: codice sconto ESTATE26',
    html: `<div style="background:#00b4d8;color:#03045e"><h1>-26%</h1><p>Inserisci il codice nel carrello:</p><p style="font-size:40px">ESTATE26</p></div><p>Scade il 31/07/2026. <a href="https://costumi.example/promo?id=260731">Vai ai saldi</a> · <a href="https://costumi.example/no?u=81774">Cancellami</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'app di autenticazione',
    subject: 'Verifica in due passaggi attivata',
    text: `D'ora in poi, a ogni accesso ti chiederemo il codice a 6 cifre generato dalla tua app di autenticazione. Non lo riceverai via e-mail né via SMS.

Dispositivo associato: Pixel 9, 23/11/2026 08:14`,
    code: null,
    link: null,
  },
  {
    name: 'truffa INPS',
    subject: '118830',
    text: `Avviso: rimborso di € 118,83 in sospeso (rif. 118830). Aggiorna i dati entro 24 ore: https://rimborso-cittadino.example/118830`,
    html: `<p>Avviso: rimborso di <b>€ 118,83</b> in sospeso (rif. 118830).</p><p><a href="https://rimborso-cittadino.example/118830">Aggiorna i dati</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'estratto conto',
    subject: 'Estratto conto ottobre 2026',
    html: `<table><tr><th>Data</th><th>Causale</th><th>Importo</th></tr><tr><td>02/10</td><td>POS 004471</td><td>-18,20</td></tr><tr><td>14/10</td><td>Bonifico 20418</td><td>+1.450,00</td></tr><tr><td>27/10</td><td>IMU</td><td>-330,00</td></tr></table><p>La banca non chiede mai codici o password via e-mail.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'conferma iscrizione',
    subject: 'Conferma la tua iscrizione',
    text: `Ciao,

per ricevere la newsletter di Orto Felice conferma qui:
https://ortofelice.example/news/conferma?c=51c0e9&i=3308

Non l'hai chiesta tu? Non fare nulla.`,
    html: `<p>Per ricevere la newsletter di Orto Felice:</p><p><a href="https://ortofelice.example/news/conferma?c=51c0e9&amp;i=3308">Confermo</a></p><p>Non l'hai chiesta tu? Non fare nulla.</p>`,
    code: null,
    link: 'https://ortofelice.example/news/conferma?c=51c0e9&i=3308',
  },
  {
    name: 'nuova password con link',
    subject: 'Reimposta la password',
    html: `<p>Buongiorno Matteo,</p><p><a href="https://conto.lucegas.example/password/reimposta/770ab-19c2">Scegli una nuova password</a></p><p>Codice cliente: 1002 4418 77. Assistenza: <a href="https://lucegas.example/assistenza">lucegas.example</a></p>`,
    code: null,
    link: 'https://conto.lucegas.example/password/reimposta/770ab-19c2',
  },
  {
    name: 'password cambiata',
    subject: 'La tua password è stata modificata',
    text: `La password del tuo account è stata modificata il 22/11/2026 alle 21:40 (IP 198.51.100.118).

Non sei stato tu? Blocca subito l'accesso: https://id.monopattinu.example/blocca/55102`,
    html: `<p>La password del tuo account è stata modificata il 22/11/2026 alle 21:40.</p><p>Non sei stato tu? <a href="https://id.monopattinu.example/blocca/55102">Blocca subito l'accesso</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'codici di recupero',
    subject: 'I tuoi codici di recupero',
    html: `<p>Conserva questi codici in un posto sicuro, ti serviranno solo se perdi il telefono:</p><pre>4471-0092
8830-1174
2204-6681
9017-3358</pre>`,
    code: null,
    link: null,
  },
  {
    name: 'codice scaduto',
    subject: 'Codice scaduto',
    text: `Il codice 440 917 inviato alle 07:52 è scaduto e non può più essere usato. Torni sul portale e ne richieda un altro.`,
    code: null,
    link: null,
  },
  {
    name: 'visita medica',
    subject: 'Promemoria: visita del 04/12/2026',
    text: `Prenotazione n. 2204 8817
Ambulatorio 14, piano 2
Dott. F. Greco
Codice impegnativa: 0300A4418827710
Ticket: € 36,15`,
    html: `<p>Prenotazione n. <b>2204 8817</b></p><p>Ambulatorio 14, piano 2, Dott. F. Greco</p><p>Codice impegnativa: 0300A4418827710 · Ticket: € 36,15</p>`,
    code: null,
    link: null,
  },
  {
    name: 'numero d’ordine della stessa lunghezza',
    subject: 'Ordine 551820: conferma il nuovo indirizzo',
    html: `<p>Prima di spedire l'ordine <b>551820</b> al nuovo indirizzo dobbiamo verificare che sia tu.</p><p>Codice: <b>390172</b></p><p>Cliente 118204</p>`,
    text: `Prima di spedire l'ordine 551820 al nuovo indirizzo dobbiamo verificare che sia tu.

Codice: 390172

Cliente 118204`,
    code: '390172',
    link: null,
  },
  {
    name: 'password provvisoria',
    subject: 'Registro elettronico: credenziali',
    text: `Gentili genitori,
la password provvisoria per il primo accesso è vN63hTq8 (attenzione a maiuscole e minuscole).
Istituto Comprensivo 118, tel. 055 5550 170`,
    code: 'vN63hTq8',
    link: null,
    kind: 'password',
  },
  {
    name: 'attivazione tessera',
    subject: 'Attiva la tessera della biblioteca',
    html: `<p>La tessera 0048291 è pronta: <a href="https://biblioteca.example/attiva?t=48291&amp;s=c7e0">attivala ora</a>.</p><p><a href="https://biblioteca.example/orari">Orari</a></p>`,
    code: null,
    link: 'https://biblioteca.example/attiva?t=48291&s=c7e0',
  },
  {
    name: 'altri codici',
    subject: 'Codice errore 40312',
    html: `<p>Il lettore segnala il codice errore 40312 sul codice a barre 8001234567894. Codice fiscale del referente: RSSMRA85T10A562S. Codice SDI: 7H4K9QX.</p>`,
    text: `Il lettore segnala il codice errore 40312 sul codice a barre 8001234567894. Codice fiscale del referente: RSSMRA85T10A562S. Codice SDI: 7H4K9QX.`,
    code: null,
    link: null,
  },
  {
    name: 'porta un amico',
    subject: '10 € per te e per un amico',
    html: `<p>Il tuo codice amico:</p><h2>GIULIA447</h2><p>Chi lo inserisce alla registrazione riceve 10 €, e tu pure.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'intestazione di colonna e codice sotto',
    subject: 'Credenziali temporanee',
    html: `<table><tr><th>Matricola</th><th>Password monouso</th></tr><tr><td>330718</td><td>604 915</td></tr></table><p>Segreteria studenti, sportello 4</p>`,
    text: `Matricola: 330718
Password monouso: 604 915`,
    code: '604915',
    link: null,
  },
  {
    name: 'numero di verifica al telefono',
    subject: 'Torrefazione Aurora',
    html: `<p style="font-size:36px">19 20 77</p><p>È il numero che ti chiede l'app. Vale un quarto d'ora.</p>`,
    code: '192077',
    link: null,
  },
  {
    name: 'autolettura',
    subject: 'Autolettura registrata',
    text: `Lettura: 048291
Matricola contatore: 30774118
PDR: 00594201048291

Grazie per la collaborazione.`,
    code: null,
    link: null,
  },
]
