import type { CodeLanguage } from '../code-language.ts'

export const en: CodeLanguage = {
  hints: [
    ...['code', String.raw`pin\b(?<=\bpin)`, String.raw`otp\b(?<=\botp)`, 'token', 'passcode', 'password', 'log ?in', 'sign ?in'],
    ...['verif', 'to confirm', 'to valid'],
  ],
  sure: [
    '(?:verification|security|confirmation|log-?in|sign-?in|sign-?up|authentication|authenticator|authori[sz]ation|auth|access|activation|one-?time|single-use|two-factor|two-step|2fa|mfa|2-step|temporary|recovery|reset|validation|registration|guard|delivery|pairing|unlock|identity)(?: (?:login|log-in|sign-in|sign in|access|security|verification))? (?:code|pin|passcode|password|key|number)s?',
    String.raw`(?:log|sign) in code|one-?time (?:code|pin|passcode|password)|passcode|\botp\b|delivery pin`,
    'code (?:to|for) (?:log(?:ging)?[- ]?in|sign(?:ing)?[- ]?in|verify(?:ing)? your|verification|confirming your)',
  ],
  other: [
    'confirmation numbers?',
    '(?:meeting|webinar|conference|dial-?in|host|room) (?:pass-?codes?|passwords?|pins?|codes?)',
    '(?:booking|reservation|order|tracking|promo(?:tional)?|discount|coupon|voucher|gift(?: ?card)?|referral|post(?:al)?|zip|area|country|dial(?:l?ing)?|sort|swift|bank|branch|error|exit|status|source|product|item|bar|qr|dress|customer|client|member|student|employee|class|course|school|tax|model|style|colou?r|code|building|tariff|currency|batch|project|department|cost|location|station|airport|unit|machine|html|http|morse|geek|offer|invit(?:e|ation)|case|file|claim|ticket|incident|reference|transaction|routing|ifsc|merchant|terminal|payee|beneficiary|(?:sales )?rep|agent|dealer|affiliate|loyalty|partner|event|conference|parcel|package|shipment|shipping|refund|payment|savings?|bonus|deal|access to savings|reward|prize|winning|lucky|hs|vat|cpt|icd)[- ]codes?',
    '(?:exit(?:ed|s)?|fail(?:ed|s)?|end(?:ed|s)?|return(?:ed|s)?|responded|finished|crashed|stopped)(?: with)?(?: an?| the)? codes?',
    'codes? (?:of (?:conduct|practice|ethics)|review|path|base|block|snippet|requests?)',
    "(?:card|atm|debit|credit)(?:[- ]card)?(?:[’']s)? pins?|pins? (?:of|for|to) (?:your|the|any|a) (?:new )?(?:debit |credit |bank )?card|pins? (?:number )?for your card",
  ],
  bare: ['code', 'pin', 'codes', 'token'],
  identity: [
    String.raw`verif|validat|sign(?:ing)?[- ]?(?:in|up)\b|log(?:ging)?[- ]?in\b|passcode|\botp\b|2fa|two-(?:factor|step)|authenti|authori[sz]`,
    'confirm (?:your|the change)|(?:reset|change|set).{0,20}password|one-?time|prove (?:it|that)',
    'valid (?:for|until)|(?:do not|don.t|never) share|identity|subscription|access (?:to )?your|expir|activat',
  ],
  yours: ['your', 'you (?:asked|requested)', 'this', 'following', 'here', 'use', 'enter', 'type'],
  is: ['is', 'are', 'below', 'following'],
  isYour: ['(?:is|as) (?:your|the|a|an)'],
  enter: ['(?:enter|use|type|input|paste|submit)(?: the(?: code)?| code)?'],
  to: ['to', 'on', 'in', 'as', 'into', 'when'],
  purposes: ['sign', 'log ?in', 'verif', 'confirm', 'reset', 'continu', 'finish', 'authori', 'activ', 'complet', 'registr', 'valid'],
  shop: [
    String.raw`\d ?%|\breduc|\boff\b|discount|checkout|coupon|promo|\bsale\b|\bsave\b|referral|invite friends|redeem|black friday|cyber monday`,
    String.raw`voucher|\bgift|free (?:shipping|delivery)`,
  ],
  labels: [
    'orders?|invoice|receipt|ticket|case|transaction|txn|txid|reference|ref|booking|reservation|tracking|shipment|parcel|package|consignment',
    '(?:account|customer|client|member|company|serial|card|policy|contract|phone|plan|survey|job|application|model|donation|school|gift card|meeting|vehicle|transaction|order|case|receipt|invoice|tracking|file|claim|batch|lot|employee|student|patient|registration|license|licence|vat|tax|filler|document|form)(?: (?:number|no|id|n[ºo°]|ref|reference))',
    'file|claim|incident|docket|request|complaint|petition|protocol',
    'phone|tel|mobile|fax|whatsapp|call(?: us)?(?: on| at)?|ring|dial|ext(?:ension)?|helpline|line|report fraud to',
    'ending(?: in)?|ends in|card|visa|mastercard|amount|total|balance|quantity|qty',
    'street|st|ave(?:nue)?|road|po box|box|suite|unit|floor|room|gate|seat|store|group|block|building|zip|school|sku|id|ip|issue|pr|user|section|version|release|build|commit|act',
    String.raw`year|copyright|©|\(c\)|vat|uid|req`,
  ],
  files: [
    '(?:case|file|claim|invoice|order|ticket|policy|customer|reference|routing|account|tracking|shipment|consignment|parcel) (?:id|no|nr|num|number|ref|#)',
    'parcel|package|shipment|courier|customs|refund|tax(?:es)?|debit card|credit card|iban|swift|bic|lottery|prize|winner',
  ],
  travel: ['flight|hotel|itinerary|e-?ticket|boarding|check-in|nights'],
  meetings: [String.raw`\b(?:meeting|webinar|conference)[- ](?:id|number)\b`],
  reports: ['errors?|exception|exit(?:ed)?|fail(?:ed|ure)|crash(?:ed)?|http|warning'],
}
