import type { CodeLanguage } from '../code-language.ts'

export const fr: CodeLanguage = {
  hints: ['code', 'mot de passe', 'pour confirm', 'pour valid', 'v[eé]rif'],
  sure: [
    `code (?:de (?:v[eé]rification|s[eé]curit[eé]|confirmation|connexion|validation|r[eé]cup[eé]ration|r[eé]initialisation)|d(?:['’]|e )(?:acc[eè]s|authentification|activation|identification|autorisation)|[àa] usage unique|unique|temporaire|provisoire)`,
    'mot de passe (?:[àa] usage unique|temporaire|provisoire)',
  ],
  other: [
    'codes? (?:postal|promo|promotionnel|client|banque|guichet|article|produit|source|barres?|erreur|avantage|cadeau|parrainage|r[eé]duction|privil[eè]ge|colis|de (?:r[eé]duction|suivi|commande|parrainage|r[eé]f[eé]rence|dossier|retrait de colis))',
    'code (?:secret|pin) de (?:votre|ta|la) carte',
  ],
  bare: ['codes?', 'pin'],
  identity: ['vérifi|connexion|connect(?:er|ez)|authentif|confirmez|mot de passe|usage unique|expire|partagez'],
  yours: ['votre', 'ton', 'voici', 'suivant', 'ci-dessous', 'saisissez', 'entrez', 'utilisez', 'tapez'],
  is: ['est(?: le)?', 'suivant'],
  isYour: ['est (?:votre|ton|le|un)'],
  enter: ['(?:saisissez|entrez|utilisez|tapez)(?: le(?: code)?)?'],
  to: ['pour', 'sur', 'dans'],
  purposes: ['connect', 'vérif', 'confirm', 'valid', 'activ', 'réinit', 'termin', 'continu', 'identif', 'accéd', 'finalis'],
  shop: ['réduction|remise|soldes|livraison offerte|bon d.achat|cagnotte'],
  labels: [
    'commande|facture|dossier|r[eé]f[eé]rence|colis|r[eé]servation|contrat|client|compte|suivi|carte|t[eé]l[eé]phone|montant|t[eé]l|poste',
    "n(?:um[eé]ro|°|º|o) (?:de |d[’']|du )?(?:dossier|commande|suivi|colis|facture|client|contrat|compte|s[eé]rie|t[eé]l[eé]phone|r[eé]servation|carte)",
  ],
  files: ['facture|dossier|colis|livraison|douane|remboursement|imp[oô]ts?|amende|vignette|carte bancaire|carte vitale'],
  meetings: [String.raw`\bid de r[eé]union\b`],
}
