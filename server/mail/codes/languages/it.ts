import type { CodeLanguage } from '../code-language.ts'

export const it: CodeLanguage = {
  hints: ['codice', 'codici', 'password', 'per confirm', 'per conferm', 'per valid'],
  sure: [
    'codice (?:di (?:verifica|sicurezza|conferma|accesso|autenticazione|autorizzazione|attivazione|convalida|recupero|sblocco)|temporaneo|monouso|usa e getta|otp)',
    'password (?:temporanea|monouso|usa e getta)',
  ],
  other: [
    'codic[ei] (?:fiscale|cliente|postale|sconto|promo(?:zionale)?|prodotto|articolo|ordine|pratica|prenotazione|iban|bancario|abi|cab|swift|a barre|errore|invito|pacco|spedizione|(?:di|del|della) (?:sconto|tracciamento|avviamento|spedizione|prenotazione|pratica|ordine|riferimento|errore))',
  ],
  bare: ['codic[ei]', 'pin'],
  identity: ['verific|acced|accesso|conferma|monouso|scade|identit[aà]|condivider'],
  yours: ['tuo', 'suo', 'ecco', 'seguente', 'inserisci', 'utilizza', 'usa'],
  is: ['è', 'seguente'],
  isYour: ['è (?:il )?(?:tuo|suo|il|un)'],
  enter: ['(?:inserisci|utilizza|immetti|digita|usa)(?: il(?: codice)?)?'],
  to: ['per', 'in', 'come'],
  purposes: ['acced', 'verific', 'conferm', 'complet', 'continu', 'attiv', 'reimpost', 'autentic'],
  shop: ['sconto|buono|spedizione gratuita|saldi'],
  labels: ['pratica|ordine|fattura|spedizione|riferimento|partita iva|prenotazione|contratto|cliente|conto|pacco|importo|telefono|tel'],
  files: ['pratica|fattura|pacco|spedizione|dogana|rimborso|imposte|multa|carta di credito|bancomat'],
  meetings: [String.raw`\bid (?:della )?riunione\b`],
}
