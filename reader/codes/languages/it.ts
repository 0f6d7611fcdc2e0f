import { type CodeLanguage, words } from '../code-language.ts'

export const it: CodeLanguage = {
  hints: words`chiave|token|codice|codici|password|per confirm|per conferm|per valid`,
  sure: words`
    chiave (?:di accesso|di sicurezza|temporanea|monouso)|codice temporaneo
    (?:codice|pin|numero) (?:di |d.)?(?:firma|dispositivo|conferma|verifica|iscrizione|login|registrazione|collegamento)
    codice (?:sms|a (?:quattro|cinque|sei|otto|4|5|6|8) cifre|usa e getta)
    codice per (?:accedere|entrare|confermare|verificare|reimpostare|completare)|pin (?:monouso|temporaneo)
    codice (?:di (?:verifica|sicurezza|conferma|accesso|autenticazione|autorizzazione|attivazione|convalida|recupero|sblocco
      |abbinamento|associazione|registrazione|identificazione)|temporaneo|monouso|usa e getta|otp)
    password (?:temporanea|monouso|usa e getta)
  `,
  other: words`
    codice di verifica del documento|codice (?:della porta|del portone|del cancello|di ritiro|del wi-?fi|allarme)
    codic[ei] (?:fiscale|cliente|postale|sconto|promo(?:zionale)?|prodotto|articolo|ordine|pratica|prenotazione|iban|bancario|abi|cab
      |swift|a barre|errore|invito|pacco|spedizione|(?:di|del|della) (?:sconto|tracciamento|avviamento|spedizione|prenotazione|pratica
      |ordine|riferimento|errore))
  `,
  bare: words`codic[ei]|pin`,
  identity: words`verific|\bentra(?:re)?\b|acced|accesso|conferma|monouso|scade|identit[aà]|condivider`,
  yours: words`tuo|suo|ecco(?:lo|la)?|seguente|inserisci|utilizza|usa`,
  is: words`è|seguente`,
  isYour: words`è (?:il )?(?:tuo|suo|il|un)`,
  enter: words`(?:con|inserisci|utilizza|immetti|digita|usa)(?: il(?: codice)?)?`,
  to: words`puoi|potr[aà]i|può|per|in|come`,
  purposes: words`approv|autorizz|acced|verific|conferm|complet|continu|attiv|reimpost|autentic`,
  shop: words`amic[oi]|carrello|sconto|buono|spedizione gratuita|saldi`,
  labels: words`
    pratica|ordine|fattura|spedizione|riferimento|partita iva|prenotazione|contratto|cliente|conto|pacco|importo|telefono|tel
  `,
  files: words`
    pratica|fattura|pacco|spedizione|dogana|rimborso|imposte|multa|carta di credito|bancomat|contribuente|tributi|cartella esattoriale
  `,
  meetings: words`\bid (?:della )?riunione\b`,
  reports: words`error[ei]|fallit[oaie]|rifiutat[oaie]|respint[oaie]|non riuscit[oaie]|guasto`,
  doors: words`porta|portone|chiav[ei]|cancello|citofono|armadietto`,
  told: words`
    mostra(?:lo|telo|te)? (?:il|questo|al|in)|esibisci|presenta(?:lo|te)? (?:il|questo|al|in)
    (?<!nemmeno |neanche |neppure )(?:al|il|tuo) (?:corriere|fattorino|rider|postino)|all.(?:autista|addetto alla consegna)
  `,
  enters: words`
    riscriv|(?:us[ai]|usare|utilizz[ai])\b(?= [^.]{0,25}(?:cifre|numer|caratteri))|inser(?:isci|ire|isca|ite|endo)|digit(?:a|are|i)\b
    scriv(?:i|ere)|incolla|copia|immett|ricopi|riporta
  `,
  places: words`(?:app|pagina|modulo|sito|campo|schermata|schermo|casella|finestra|impostazioni|browser|portale|scheda|banking)\b`,
  digits: words`(?:cifre|numeri|caratteri|lettere)\b`,
  numbers: words`(?:cifre|numer[oi]|caratteri|lettere)\b`,
  asks: words`chied|chiest|richied`,
  cards: words`(?:e|con) (?:i dati|il numero) (?:della|di) (?:sua |tua )?carta`,
  expired: words`
    [eè] (?:gi[aà] )?(?:scadut|decadut)|non [eè] pi[uù] (?:valid|utilizz|attiv)|non (?:vale|funziona|pu[oò] essere) pi[uù]
    non [eè] pi[uù]|non corrispond
  `,
  fraud: words`truff|frod[ei]|phishing|(?:falsi|false) (?:e-?mail|messaggi|sms|operatori)`,
  bills: words`fattur|bollett|ricevuta|estratto conto|pagament|bonifico|addebito|ordine|acquisto|spedizione|pacco|consegna|rimborso`,
  warns: words`non .{0,15}(?:chied|chiam)\p{L}{1,6} mai|mai .{0,15}(?:chied|chiam)`,
  three: words`(?:tre|3) cifre`,
  approves: words`autorizza(?!t)|approva(?![lt])|firmare\b|dimostra`,
  confirms: words`
    elimina definitivamente
    conferm(?:a(?! (?:d|del|dell.)ordine)|are|o|i)\b|verific(?:a|are|hi)\b|attiv(?:a|are|ala|alo|i)\b|convalid
    complet(?:a|are)\b.{0,20}(?:registr|iscri)|reimposta|(?:scegli|crea|imposta|nuova).{0,15}password|link magico|accetta.{0,20}invit
    sblocca|dimenticat.{0,12}password|cambia(?:re)?\b.{0,10}password
  `,
  signsIn: words`acced(?:i|ere)\b|accesso (?:con|senza)|entra\b|accesso`,
  invites: words`ti (?:ha )?invita|invito`,
  accepts: words`unisciti|entra nel|accetta`,
  here: words`(?:(?:clicca|tocca|premi) )?(?:qui|questo link|il link|s[iì][^?]{0,40}|continua)`,
  besides: words`
    disiscri|cancella|annulla l.iscri|privacy|condizioni|aiuto|assistenza|segnala|non sei stat|non (?:sei|hai|l.hai)|impostazioni|ordine
    fattura|tracci|spedizion|blocca|orari|pacco|dogana|rimborso|multa|consegna
  `,
  alerts: words`avviso|allarme|nuovo accesso|nuovo dispositivo|password (?:è stata )?(?:modificat|cambiat)|sospett|insolit|truff|frod`,
  ignored: words`
    ignora(?:re|lo|la)?\b|non (?:devi|deve|occorre|serve|c.[eè]) (?:fare )?(?:nulla|niente)|nessuna azione|non fare nulla|non succeder[aà]
    elimina questa|cestina
  `,
  lasts: words`(?:link|collegamento)\b[^.!?]{0,40}(?:scad|valid|funziona|una (?:sola )?volta)`,
  nearlyDone: words`
    (?:un|ultimo|solo un) (?:ultimo )?(?:clic|click|passo|passaggio)\b|manca (?:solo )?un|ci siamo quasi|quasi (?:fatto|pronto|finito)
  `,
  travel: words`volo|hotel|notti|soggiorno|alloggio|imbarco|prenotazione|biglietto|treno`,
}
