/** Labelled mails in French. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'code à usage unique en une phrase',
    subject: 'Votre code à usage unique',
    text: `Bonjour Camille,

Votre code à usage unique est le 804 517. Il est valable 15 minutes.

Si vous n’êtes pas à l’origine de cette demande, ignorez ce message.

La Mutuelle des Ardoises, 49000 Angers`,
    code: '804517',
    link: null,
  },
  {
    name: 'paiement 3-D Secure',
    subject: 'Validation de votre achat de 349,90 €',
    html: `<p>Madame, Monsieur,</p><p>Pour valider votre achat de <b>349,90&nbsp;€</b> chez ELECTRO PLUS avec votre carte se terminant par 7719, saisissez le code ci-dessous&nbsp;:</p><table align="center"><tr><td style="font-size:32px;color:#003366">61840275</td></tr></table><p>Ne communiquez jamais ce code, même à votre conseiller. Crédit Armorique, tél. 09 69 55 01 27.</p>`,
    code: '61840275',
    link: null,
  },
  { name: 'code dans l’objet seulement répété seul', subject: 'Covoitou : 4471 est votre code', text: `4471`, code: '4471', link: null },
  {
    name: 'code lettres et chiffres',
    subject: 'Activez votre compte Papillote',
    html: `<div style="max-width:520px;font-family:Georgia"><h2>Plus qu’une étape !</h2><p>Recopiez ce code dans l’application :</p><p style="background:#f7f2ea;font-size:28px">H4K-9ZT</p><p>N’oubliez pas le tiret.</p><p style="color:#aa8866">Papillote SAS – RCS Lyon 884 201 773</p></div>`,
    code: 'H4K-9ZT',
    link: null,
  },
  {
    name: 'démarche administrative',
    subject: 'Démarche n° 20260418 – code de connexion',
    text: `Bonjour,

Vous avez demandé à accéder au portail de la commune de Saint-Aubin-les-Forges.

Dossier : 20260418
Code de connexion : 093551
Durée de validité : 10 min

Ceci est un message automatique, merci de ne pas y répondre.`,
    code: '093551',
    link: null,
  },
  {
    name: 'tutoiement',
    subject: 'Hop, ton code !',
    html: `<p>Salut Enzo 👋</p><p>Voilà ton code pour te connecter à Trottix :</p><p><b style="font-size:24px">2 8 0 6 4 9</b></p><p>Tu n’as rien demandé ? Pas de panique, il s’efface dans 5 minutes.</p>`,
    text: `Salut Enzo 👋

Voilà ton code pour te connecter à Trottix :

2 8 0 6 4 9

Tu n’as rien demandé ? Pas de panique, il s’efface dans 5 minutes.`,
    code: '280649',
    link: null,
  },
  {
    name: 'code et lien de connexion',
    subject: 'Connexion à Atelier Brume',
    html: `<p>Cliquez sur le bouton ci-dessous pour vous connecter&nbsp;:</p><a href="https://atelierbrume.example/connexion?jeton=5b0c71f2&amp;id=20418">Me connecter</a><p>ou saisissez le code <strong>550 912</strong> sur la page restée ouverte.</p><p>Lien et code expirent à 16&nbsp;h&nbsp;40.</p>`,
    code: '550912',
    link: 'https://atelierbrume.example/connexion?jeton=5b0c71f2&id=20418',
  },
  {
    name: 'canadien bilingue',
    subject: 'Votre code / Your code',
    text: `Le code de vérification de votre compte Érablière est : 718336
The verification code for your Érablière account is: 718336

Besoin d’aide? / Need help? 1 800 555-0175`,
    code: '718336',
    link: null,
  },
  {
    name: 'mot de passe oublié par code',
    subject: 'Réinitialisation de votre mot de passe',
    text: `Vous avez oublié votre mot de passe Vélocité ? Ça arrive.

Entrez ces cinq chiffres à l’écran : 30718. Vous pourrez ensuite choisir un nouveau mot de passe.

Votre numéro d’abonné : 1184402`,
    code: '30718',
    link: null,
  },
  {
    name: 'signature électronique',
    subject: 'Signature de votre contrat CT-2026-0081',
    html: `<p>Bonjour M. Lefèvre,</p><p>Le contrat CT-2026-0081 attend votre signature. Au moment de signer, indiquez le code suivant :</p><p><span style="border:2px dashed #880044;padding:8px">739201</span></p><p>Notaires du Val, 12 rue de la Paix, 37000 Tours. Tél. 02 47 55 01 90</p>`,
    text: `Le contrat CT-2026-0081 attend votre signature. Au moment de signer, indiquez le code suivant : 739201`,
    code: '739201',
    link: null,
  },
  {
    name: 'commande expédiée',
    subject: 'Votre commande n° 30081774 est expédiée',
    text: `Bonne nouvelle, votre colis est parti !

Commande : 30081774
Suivi Colibris : 6A 18274 03991 2
Livraison prévue : 26/11/2026
Code postal : 69003

https://suivi.colibris.example/6A18274039912`,
    code: null,
    link: null,
  },
  {
    name: 'code promo',
    subject: '-30 % avec le code NOEL30 🎄',
    html: `<div style="background:#0f5132;color:#ffffff"><h1>-30&nbsp;%</h1><p>Saisissez votre code au moment de payer :</p><p style="font-size:44px">NOEL30</p><a href="https://laboiteajouets.example/noel?src=mail1126">J’en profite</a></div><p>Offre valable jusqu’au 15/12/2026. <a href="https://laboiteajouets.example/desabo/41882">Se désabonner</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'colis bloqué, arnaque',
    subject: '552018',
    html: `<p>Votre colis n°552018 est bloqué en douane.</p><p>Frais à régler : 2,99&nbsp;€</p><p><a href="https://colis-frais.example/552018">Débloquer mon colis</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'code envoyé par SMS',
    subject: 'Vérification en deux étapes',
    text: `Un code de vérification à 6 chiffres vient de vous être envoyé par SMS au 06 •• •• •• 42. Saisissez-le pour continuer.

Vous ne l’avez pas reçu ? Demandez-en un autre depuis la page de connexion (réf. 889120).`,
    code: null,
    link: null,
  },
  {
    name: 'prévention de la fraude',
    subject: 'Attention aux faux conseillers',
    text: `Crédit Armorique ne vous demandera jamais votre code secret ni le code reçu par SMS. Si l’on vous appelle pour « annuler une opération de 1 490 € », raccrochez et composez le 09 69 55 01 27.

Identifiant client : 4408127`,
    code: null,
    link: null,
  },
  {
    name: 'confirmation d’adresse',
    subject: 'Confirmez votre adresse e-mail',
    text: `Bienvenue chez Pélican !

Pour confirmer votre adresse, suivez ce lien :
https://compte.pelican.example/confirmer/7c41e0-99ab?u=61204

Il reste actif 24 heures.`,
    html: `<h3>Bienvenue chez Pélican !</h3><p><a href="https://compte.pelican.example/confirmer/7c41e0-99ab?u=61204" style="background:#f26419">Confirmer mon adresse</a></p><p>Le lien reste actif 24 heures.</p><p><a href="https://compte.pelican.example/cgu">CGU</a></p>`,
    code: null,
    link: 'https://compte.pelican.example/confirmer/7c41e0-99ab?u=61204',
  },
  {
    name: 'réinitialisation par lien',
    subject: 'Choisissez un nouveau mot de passe',
    html: `<p>Bonjour,</p><p>Une demande de nouveau mot de passe a été faite pour votre compte Ciné Lumière (carte 0081 4471 20).</p><p><a href="https://cinelumiere.example/mdp?cle=90d1b7e3">Choisir un nouveau mot de passe</a></p><p>Ce n’était pas vous ? <a href="https://cinelumiere.example/contact">Prévenez-nous</a>.</p>`,
    code: null,
    link: 'https://cinelumiere.example/mdp?cle=90d1b7e3',
  },
  {
    name: 'nouvelle connexion',
    subject: 'Nouvelle connexion à votre compte',
    html: `<p>Une connexion a eu lieu depuis un nouvel appareil.</p><table><tr><td>Date</td><td>22/11/2026 21:08</td></tr><tr><td>IP</td><td>192.0.2.144</td></tr><tr><td>Lieu</td><td>Lille (59000)</td></tr></table><p>Ce n’est pas vous ? <a href="https://compte.trottix.example/securiser?id=71204">Sécurisez votre compte</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'facture',
    subject: 'Facture FA-118204 disponible',
    text: `Votre facture FA-118204 d’un montant de 39,99 € est disponible dans votre espace client.

Prélèvement le 05/12/2026 sur le compte FR76 **** 4417.
SIREN 552 081 317 – TVA FR 40 552081317

https://espace.fibreo.example/factures/118204`,
    code: null,
    link: null,
  },
  {
    name: 'billet de train',
    subject: 'Votre voyage Paris – Rennes du 04/12',
    html: `<p>Référence du dossier : <b>QKT7RM</b></p><table><tr><td>Train</td><td>8617</td></tr><tr><td>Voiture</td><td>14</td></tr><tr><td>Place</td><td>072</td></tr><tr><td>Prix</td><td>45,00 €</td></tr></table><p>Présentez votre billet au contrôle.</p>`,
    text: `Référence du dossier : QKT7RM
Train 8617, voiture 14, place 072
Prix : 45,00 €`,
    code: null,
    link: null,
  },
  {
    name: 'code expiré',
    subject: 'Votre code a expiré',
    text: `Bonjour, le code 662190 n’a pas été utilisé à temps et n’est plus valable. Retournez sur la page de connexion pour en recevoir un nouveau.`,
    code: null,
    link: null,
  },
  {
    name: 'numéro de commande de même longueur',
    subject: 'Commande 440917 : une vérification',
    html: `<p>Avant d’expédier la commande <b>440917</b>, merci de confirmer votre adresse.</p><p>Votre code&nbsp;: <b>208831</b></p><p>Client 118204 – Total 20,88&nbsp;€</p>`,
    text: `Avant d’expédier la commande 440917, merci de confirmer votre adresse.

Votre code : 208831

Client 118204 – Total 20,88 €`,
    code: '208831',
    link: null,
  },
  {
    name: 'chiffres séparés par des espaces fines',
    subject: 'Votre accès à l’espace famille',
    html: `<p>Pour accéder à l’espace famille de l’école Jules-Verne, tapez&nbsp;:</p><p style="color:#1d3557">66&#8239;20&#8239;84</p><p>Académie de Rennes, RNE 0351184K</p>`,
    code: '662084',
    link: null,
  },
  {
    name: 'trois groupes de lettres',
    subject: 'Autoriser un appareil',
    text: `Un appareil demande l’accès à votre serveur (10.0.3.118). Si c’est bien vous, recopiez

TGN-RXV-QLB

sur la page des appareils, tirets compris.`,
    html: `<p>Un appareil demande l’accès à votre serveur (10.0.3.118). Si c’est bien vous, recopiez</p><pre>TGN-RXV-QLB</pre><p>sur la page des appareils, tirets compris.</p>`,
    code: 'TGN-RXV-QLB',
    link: null,
  },
  {
    name: 'activation d’abonnement',
    subject: 'Plus qu’un clic, Léa',
    html: `<p>Votre carte n°&nbsp;0048291 est prête. Pour l’activer, c’est <a href="https://escalade.example/activer?carte=48291&amp;j=ce07">ici</a>.</p><p><a href="https://escalade.example/horaires">Horaires</a> – 04 76 55 01 18</p>`,
    code: null,
    link: 'https://escalade.example/activer?carte=48291&j=ce07',
  },
  {
    name: 'autres codes',
    subject: 'Code postal 75011, code-barres 3017620422003',
    html: `<p>Le point relais a bien enregistré le code-barres 3017620422003. Code erreur 40312 sur la borne 118, code APE 4791B.</p>`,
    text: `Le point relais a bien enregistré le code-barres 3017620422003. Code erreur 40312 sur la borne 118, code APE 4791B.`,
    code: null,
    link: null,
  },
  {
    name: 'parrainage',
    subject: 'Parrainez, gagnez 20 €',
    html: `<p>Votre code parrain :</p><p style="font-size:30px;background:#ffe5d9">CAM4471</p><p>Votre filleul le saisit à l’inscription et vous recevez 20&nbsp;€ chacun.</p>`,
    text: `Votre code parrain : CAM4471

Votre filleul le saisit à l’inscription et vous recevez 20 € chacun.`,
    code: null,
    link: null,
  },
  {
    name: 'digicode de la location',
    subject: 'Votre arrivée samedi',
    html: `<p>Bonjour,</p><p>Arrivée dès 16&nbsp;h. La boîte à clés se trouve à gauche du portail, Marie vous donnera la combinaison par téléphone (06 55 50 11 82).</p><p>Réservation 30774-HM, 412,00&nbsp;€ réglés.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'mot de passe temporaire en colonne',
    subject: 'Vos identifiants provisoires',
    html: `<table><tr><th>Identifiant</th><th>Mot de passe à usage unique</th></tr><tr><td>lefevre.c</td><td>Rk7vTm42</td></tr></table><p>Université de l’Estuaire, DSI, poste 4471</p>`,
    text: `Identifiant : lefevre.c
Mot de passe à usage unique : Rk7vTm42`,
    code: 'Rk7vTm42',
    link: null,
    kind: 'password',
  },
  {
    name: 'code puis explication',
    subject: 'Votre inscription chez Torréfacteur',
    text: `77 13 05

C’est le numéro que l’application vous demande. Il reste bon un quart d’heure.`,
    html: `<p style="font-size:36px">77 13 05</p><p>C’est le numéro que l’application vous demande. Il reste bon un quart d’heure.</p>`,
    code: '771305',
    link: null,
  },
  {
    name: 'relevé de compteur',
    subject: 'Votre relevé est enregistré',
    html: `<p>Index relevé : <b>048291</b></p><p>PDL 14 482 913 077 118 · Compteur 307741</p>`,
    code: null,
    link: null,
  },
]
