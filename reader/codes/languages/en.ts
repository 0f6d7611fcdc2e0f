import { type CodeLanguage, words } from '../code-language.ts'

export const en: CodeLanguage = {
  hints: words`passphrase|code|pin\b(?<=\bpin)|otp\b(?<=\botp)|token|passcode|password|log[- ]?in|sign[- ]?in|verif|to confirm|to valid`,
  sure: words`
    passphrase
    (?:user|signing|signature|device|linking|transfer|payment approval|approval|e-?mail|log ?on|sign-on|email change|enrol?lment
      |setup) (?:code|pin|passcode)
    (?:code|number) (?:from|in) this e-?mail|(?:four|six|eight|4|5|6|8)-(?:digit|character) code
    (?:verification|security|confirmation|log-?in|sign-?in|sign-?up|authentication|authenticator|authori[sz]ation|auth|access
      |activation|one-?time|single-use|two-factor|two-step|2fa|mfa|2-step|temporary|recovery|reset|validation|registration|guard
      |pairing|unlock|identity)(?: (?:login|log-in|sign-in|sign in|access|security|verification))? (?:code|pin|passcode|password|key
      |number)s?
    (?:log|sign)[- ]?in token|(?:log|sign) in code|one-?time (?:code|pin|passcode|password)|passcode|\botp\b
    code (?:to|for) (?:log(?:ging)?[- ]?in|sign(?:ing)?[- ]?in|verify(?:ing)? your|verification|confirming your)
  `,
  other: words`
    delivery (?:codes?|pins?|passcodes?|otps?)
    (?:door|gate|entry|locker|alarm|lock|wi-?fi|pick-?up|collection)[- ](?:codes?|pins?|passwords?)|confirmation numbers?
    (?:meeting|webinar|conference|dial-?in|host|room) (?:pass-?codes?|passwords?|pins?|codes?)
    (?:booking|reservation|order|tracking|promo(?:tional)?|discount|coupon|voucher|friends|gift(?: ?card)?|referral|post(?:al)?|zip
      |area|country|dial(?:l?ing)?|sort|swift|bank|branch|error|exit|status|source|product|item|bar|qr|dress|customer|client|member
      |student|employee|class|course|school|tax|model|style|colou?r|code|building|tariff|currency|batch|project|department|cost
      |location|station|airport|unit|machine|html|http|morse|geek|offer|invit(?:e|ation)|case|file|claim|ticket|incident|reference
      |transaction|routing|ifsc|merchant|terminal|payee|beneficiary|(?:sales )?rep|agent|dealer|affiliate|loyalty|partner|event
      |conference|parcel|package|shipment|shipping|refund|payment|savings?|bonus|deal|access to savings|reward|prize|winning|lucky|hs
      |vat|cpt|icd)[- ]codes?
    (?:exit(?:ed|s)?|fail(?:ed|s)?|end(?:ed|s)?|return(?:ed|s)?|responded|finished|crashed|stopped)(?: with)?(?: an?| the)? codes?
    codes? (?:of (?:conduct|practice|ethics)|review|path|base|block|snippet|requests?)
    (?:card|atm|debit|credit)(?:[- ]card)?(?:[’']s)? pins?|pins? (?:of|for|to) (?:your|the|any|a) (?:new )?(?:debit |credit |bank )?card
    pins? (?:number )?for your card
  `,
  bare: words`code|pin|codes|token`,
  identity: words`
    verif|validat|sign(?:ing)?[- ]?(?:in|up)\b|log(?:ging)?[- ]?in\b|passcode|\botp\b|2fa|two-(?:factor|step)|authenti|authori[sz]
    confirm (?:your|the change)|(?:reset|change|set).{0,20}password|one-?time|prove (?:it|that|this)|valid (?:for|until)
    (?:do not|don.t|never) share|identity|subscription|access (?:to )?your|expir|activat
  `,
  yours: words`your|you (?:asked|requested)|this|following|here|use|enter|type`,
  is: words`is|are|below|following`,
  isYour: words`(?:is|as) (?:your|the|a|an)`,
  enter: words`(?:with|enter|use|type|input|paste|submit)(?: the(?: code)?| code)?`,
  to: words`you can|to|on|in|as|into|when`,
  purposes: words`approv|sign|log ?in|verif|confirm|reset|continu|finish|authori|activ|complet|registr|valid`,
  shop: words`
    \d ?%|\breduc|\boff\b|discount|checkout|coupon|promo|\bsale\b|\bsave\b|referral|invite friends|redeem|black friday|cyber monday
    voucher|\bgift|free (?:shipping|delivery)
  `,
  labels: words`
    orders?|invoice|receipt|ticket|case|transaction|txn|txid|reference|ref|booking|reservation|tracking|shipment|parcel|package
    consignment
    (?:account|customer|client|member|company|serial|card|policy|contract|phone|plan|survey|job|application|model|donation|school
      |gift card|meeting|vehicle|transaction|order|case|receipt|invoice|tracking|file|claim|batch|lot|employee|student|patient
      |registration|license|licence|vat|tax|filler|document|form)(?: (?:number|no|id|n[ºo°]|ref|reference))
    file|claim|incident|docket|request|complaint|petition|protocol|phone|tel|mobile|fax|whatsapp|call(?: us)?(?: on| at)?|ring|dial
    ext(?:ension)?|helpline|line|report fraud to|ending(?: in)?|ends in|card|visa|mastercard|amount|total|balance|quantity|qty|street|st
    ave(?:nue)?|road|po box|box|suite|unit|floor|room|gate|seat|store|group|block|building|zip|school|sku|id|ip|issue|pr|user|section
    version|release|build|commit|act|year|copyright|©|\(c\)|vat|uid|req
  `,
  files: words`
    (?:case|file|claim|invoice|order|ticket|policy|customer|reference|routing|account|tracking|shipment|consignment|parcel) (?:id|no|nr
      |num|number|ref|#)
    rebate|parcel|package|shipment|courier|customs|refund|tax(?:es)?|debit card|credit card|iban|swift|bic|lottery|prize|winner
  `,
  travel: words`flight|hotel|your stay|itinerary|e-?ticket|boarding|check-in|nights`,
  meetings: words`\b(?:meeting|webinar|conference)[- ](?:id|number)\b`,
  reports: words`
    errors?|exception|exit(?:ed)?|fail(?:ed|ure)|crash(?:ed)?|http|warning|declined|rejected|refused
    could(?:n.t| not) (?:charge|process|deliver)
  `,
  doors: words`door|gate|keypad|key ?(?:box|safe)|lock ?box|locker|wi-?fi`,
  told: words`
    (?:show|present) (?:it|this|the (?:code|pin|number)|your (?:[a-z]{4,14} )?(?:code|pin))
    (?:give|tell|show|read|hand|quote|provide|present)(?: it| this| the (?:code|pin)| out)?(?: to)? (?:the|your|our) (?:courier|driver
      |rider|carrier|delivery|postman|mail carrier)
    (?<!even )(?:to|with) (?:the|your|our) (?:courier|driver|rider|carrier|delivery (?:agent|person|partner|man|driver))
    (?:courier|driver|rider) (?:asks|will ask|needs)
  `,
  enters: words`
    put in\b|drop (?:it|this|these|them) in|use\b(?= (?:the|these|this) [^.]{0,20}(?:digits|numbers|characters))|enter\b
    type\b(?<![-\w]type)(?! ?[:=])|key in\b|punch in\b|fill in\b|paste\b|submit\b|pop\b(?![- ]?up)
  `,
  places: words`
    when (?:you(?:.re| are) )?(?:asked|prompted)\b
    (?:apps?|pages?|forms?|sites?|websites?|fields?|screens?|box(?:es)?|windows?|settings|browser|prompt|terminal|tab|portal)\b
  `,
  digits: words`(?:digits|numbers|characters|letters)\b`,
  numbers: words`(?:digits|numbers?|characters|letters)\b`,
  asks: words`asks?\b|asking\b|requests?\b|wants\b`,
  cards: words`(?:and|with|plus) (?:your )?(?:card|bank) (?:number|details|data)`,
  expired: words`
    (?:has|have|had|is|are) (?:now |already |just )?expired|no longer (?:valid|works?|be used|active)|can(?:not|[’’]t) be used
    stopped working|timed out|do(?:es)? not match|doesn.t match
  `,
  fraud: words`\b(?:scams?|scammers?|fraud|fraudsters?|phishing)\b|fake (?:e-?mails?|messages?|texts?|sms|calls?)`,
  bills: words`
    invoices?\b|bills?\b|billing|receipts?\b|statements?\b|payments?\b|paid\b|orders?\b|purchase|transfer(?:red|s)?\b|transaction
    remittance|direct debit|refund|parcels?\b|packages?\b|shipment|shipped|shipping|deliver(?:y|ies|ed)\b|couriers?\b|dispatched
  `,
  warns: words`(?:never|not|n.t)(?: ever)? (?:ask|request|call|phone|text|contact)\b`,
  three: words`(?:three|3)[- ](?:digit|number)s?\b`,
  approves: words`approv(?:e\b|ing)|authori[sz](?:e\b|ing)|prove (?:it|that|this)|sign (?:the|this|your)`,
  confirms: words`
    approve (?:the|this|your) (?:new|change|address|e-?mail|device|sign|log)|(?:yes|permanently).{0,12} delete
    confirm(?!ed|s\b|ation (?:number|of|code))|verif(?:y|ication link)|activat(?:e\b(?<![\p{L}-]activate)|ion link)|validate\b
    complete.{0,20}(?:regist|sign)|finish.{0,20}(?:sign|regist)|reset|(?:set|choose|create).{0,15}password|magic link|accept.{0,15}invit
    join (?:the )?(?:team|workspace|board)|unlock|forg[oe]t(?:ten)?.{0,15}password|(?:pick|change).{0,12}password
  `,
  signsIn: words`log in\b|sign in\b|log(?:ging)?-?in\b|sign(?:ing)?[- ]?in\b`,
  invites: words`invit(?:es|ed) you|invitation to join`,
  accepts: words`\bjoin\b|accept`,
  here: words`
    (?:(?:click|tap|press|follow|open|use) )?(?:here|this link|the link|this|link|the button(?: below)?|yes[^?]{0,40}|continue|ok)
  `,
  besides: words`
    unsubscribe|opt-?out|preferenc|privacy|terms|cookies|help\b(?<=\bhelp\b)|support|report|not you\b|not me\b|wasn.t you|was not you
    didn.t|did not|view (?:it |this )?in (?:a |your )?browser|settings|admin|your order|order (?:number|no|#)|invoice|track|booking
    secure your|parcel|package|tax refund|refund(?<=\brefund)|customs|delivery fee
  `,
  alerts: words`
    security (?:alert|warning|notice)|new (?:sign-?in|log-?in|device)|password (?:was |has been |is )?changed|unusual|suspicious
    unauthori[sz]ed|scam|fraud|phishing
  `,
  ignored: words`
    ignore (?:it|this|the)|disregard|safely ignore|no (?:further )?action|do nothing|(?:not|n.t) (?:need|have) to do anything
    need(?: not|n.t)? do (?:nothing|anything)|nothing (?:else |more )?(?:will )?(?:happen|chang|be (?:sent|created))
    delete (?:it|this (?:e-?mail|message))\b
  `,
  lasts: words`
    (?:link|button|invitation|url)\b[^.!?]{0,40}(?:expire|valid|works? (?:for|once|only|until)|good for|active for|stays open|lasts\b
      |run out|stops working|used once|one time)
  `,
  nearlyDone: words`
    one (?:more |last |final |quick |small )?(?:step|click|tap)\b|(?:almost|nearly) (?:there|done|ready|finished)|(?:last|final) step
    is (?:really )?(?:you|yours)\b|belongs to you
  `,
}
