import { type CodeLanguage, words } from '../code-language.ts'

export const fr: CodeLanguage = {
  hints: words`code|mot de passe|pour confirm|pour valid|v[eé]rif`,
  sure: words`
    (?:code|num[eé]ro) (?:de |d.)?(?:s[eé]curit[eé]|signature|paiement|confirmation|appareil|inscription|transfert|connexion)
    code (?:sms|[àa] (?:quatre|cinq|six|huit|4|5|6|8) chiffres|d.inscription)
    code (?:de (?:v[eé]rification|s[eé]curit[eé]|confirmation|connexion|validation|appairage|jumelage|r[eé]cup[eé]ration
      |r[eé]initialisation)|d(?:['’]|e )(?:acc[eè]s|authentification|activation|identification|autorisation)|[àa] usage unique|unique
      |temporaire|provisoire)
    mot de passe (?:[àa] usage unique|temporaire|provisoire)
  `,
  other: words`
    code de v[ée]rification d[ue] document|(?:code|digicode) (?:de la porte|du portail|de l.immeuble|du wifi|d.alarme|de retrait)
    digicode
    codes? (?:postal|promo|promotionnel|client|banque|guichet|article|produit|source|barres?|erreur|avantage|cadeau|parrainage
      |r[eé]duction|privil[eè]ge|colis|de (?:r[eé]duction|suivi|commande|parrainage|r[eé]f[eé]rence|dossier|retrait de colis))
    code (?:secret|pin) de (?:votre|ta|la) carte
  `,
  bare: words`codes?|pin`,
  identity: words`vérifi|connexion|connect(?:er|ez)|authentif|confirmez|mot de passe|usage unique|expire|activ|appareil|partagez`,
  yours: words`votre|ton|voici|suivant|ci-dessous|saisissez|entrez|utilisez|tapez`,
  is: words`est(?: le)?|suivant`,
  isYour: words`est (?:votre|ton|le|un)`,
  enter: words`(?:avec|saisissez|entrez|utilisez|tapez)(?: le(?: code)?)?`,
  to: words`vous pouvez|tu peux|pour|sur|dans`,
  purposes: words`approuv|autoris|connect|vérif|confirm|valid|activ|réinit|termin|continu|identif|accéd|finalis`,
  shop: words`réduction|panier|filleul|parrain|remise|soldes|livraison offerte|bon d.achat|cagnotte`,
  labels: words`
    commande|facture|dossier|r[eé]f[eé]rence|colis|r[eé]servation|contrat|client|compte|suivi|carte|t[eé]l[eé]phone|montant|t[eé]l|poste
    n(?:um[eé]ro|°|º|o) (?:de |d[’']|du )?(?:dossier|commande|suivi|colis|facture|client|contrat|compte|s[eé]rie|t[eé]l[eé]phone
      |r[eé]servation|carte)
  `,
  files: words`
    facture|dossier|colis|livraison|douane|remboursement|imp[oô]ts?|amende|vignette|carte bancaire|carte vitale|contribuable|impay[eé]s?
    taxes?
  `,
  meetings: words`\bid de r[eé]union\b`,
  reports: words`erreurs?|échou(?:é|ée|és|ées)|échec|refus(?:é|ée|ées|és)|rejet(?:é|ée|ées|és)|panne`,
  doors: words`porte|bo[iî]te [aà] cl[eé]s?|la cl[eé]|cl[eé]s|casier|interphone`,
  told: words`
    présente(?:z|r)?[- ]|montrez[- ]|(?<!même )(?:au|votre|ton|à votre|le) (?:livreur|coursier|chauffeur|transporteur|facteur)
    à la livreuse
  `,
  enters: words`
    indique[zr]|utilise[zr]?\b(?= [^.]{0,25}(?:chiffres|numéro|caractères))|saisi(?:ssez|ssant|s|r)|entre[zr]|tape[zr]|recopi(?:ez|e|er)
    inscri(?:vez|s|re)|coll(?:ez|er)|rentre[zr]|compose[zr]|écri(?:vez|s|re)\b
  `,
  places: words`
    (?:appli(?:cation)?|appareils|page|formulaire|site|champ|[eé]cran|case|fen[eê]tre|param[eè]tres|navigateur|portail|onglet|espace)
  `,
  digits: words`(?:chiffres|caract[eè]res|lettres)\b`,
  numbers: words`(?:chiffres|num[eé]ros?|nombres?|caract[eè]res|lettres)\b`,
  asks: words`demand|réclame`,
  cards: words`(?:et|avec) (?:vos coordonn[eé]es bancaires|votre num[eé]ro de carte|les donn[eé]es de (?:votre|la) carte)`,
  expired: words`
    (?:a|est|ont) (?:désormais |déjà )?(?:expir|p[eé]rim)|n.est plus (?:valable|valide|actif|utilisable)|ne (?:fonctionne|marche) plus
    plus être utilis|plus valable|ne correspond(?:ent)? pas
  `,
  fraud: words`fraud|escroc|arnaque|phishing|hame[cç]onn|faux (?:mails?|messages|sms|conseillers)`,
  bills: words`factur|reçu\b|relevé|paiement|virement|prélèvement|commande|achat|colis|livraison|expédi|remboursement|échéance`,
  warns: words`(?:jamais|pas).{0,25}(?:demand|appel)|(?:demand|appel)\p{L}{1,8} (?:jamais|pas)`,
  three: words`(?:trois|3) chiffres`,
  approves: words`autorise[rz]|approuve[rz]|signer\b|prouver`,
  confirms: words`
    supprimer définitivement
    confirme[zr]|je confirme|v[eé]rifie[zr]|activ(?:ez|er|e)\b|valid(?:ez|er)\b|finalis(?:ez|er)|r[eé]initialis
    (?:choisi|cré|défin|nouveau).{0,15}mot de passe|lien magique|accepter.{0,20}invit|débloqu|déverrouill|mot de passe oubli
    oubli.{0,12}mot de passe|changer.{0,10}mot de passe
  `,
  signsIn: words`(?:se|me) connecter|connectez|connexion`,
  invites: words`(?:vous|t.) ?(?:a )?invite|invitation`,
  accepts: words`rejoindre|accepter`,
  here: words`(?:(?:cliquez|cliquer|appuyez) )?(?:ici(?: pour [^?]{0,40})?|(?:sur )?ce lien|oui[^?]{0,40}|continuer|c.est (?:ici|parti))`,
  besides: words`
    d[eé]sinscri|désabonn|se d[eé]sabonner|confidentialit|conditions|aide\b|assistance|signal|pas (?:vous|[aà] l.origine)
    n.(?:est|étiez|avez) pas|pr[eé]f[eé]rences|commande|facture|suivi|colis|s[eé]curiser|mentions|colis|douane|remboursement|amende
    livraison
  `,
  alerts: words`
    alerte|nouvelle (?:connexion)|nouvel appareil|mot de passe (?:a été )?(?:modifi|chang)|suspect|inhabituel|fraude|arnaque|hame[cç]onn
  `,
  ignored: words`
    ignore[zr]\b|ignorer ce|ne tenez pas compte|n.avez rien [aà] faire|rien [aà] faire|ne faites rien|rien ne (?:se passera|sera)
    supprimez ce
  `,
  lasts: words`(?:lien|bouton|invitation)\b[^.!?]{0,40}(?:expire|valable|valide|fonctionne|une seule fois|usage unique)`,
  nearlyDone: words`
    (?:plus qu.un|dernier|encore un|un seul) (?:clic|pas)\b|derni[eè]re [eé]tape|plus qu.une [eé]tape|une (?:seule )?[eé]tape\b
    presque (?:fini|termin|pr[eê]t|fait)|y [eê]tes presque
  `,
  travel: words`vol|h[oô]tel|nuits?|arriv[ée]e|s[ée]jour|logement|h[ée]bergement|voyageurs?|embarquement|r[ée]servation|billet`,
}
