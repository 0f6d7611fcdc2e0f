/** Labelled mails in Hindi, some with Devanagari digits. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'वाक्य में OTP',
    subject: 'आपका OTP',
    text: `प्रिय ग्राहक,

आपके लॉगिन के लिए OTP 738201 है। यह 10 मिनट तक मान्य है। इसे किसी के साथ साझा न करें।

गंगा सहकारी बैंक, टोल फ्री 1800 555 014`,
    code: '738201',
    link: null,
  },
  {
    name: 'विषय में कोड',
    subject: '4096 आपका सवारी कोड है, लॉगिन के लिए',
    html: `<p>ऐप में <b>4096</b> डालें और सफ़र शुरू करें।</p>`,
    text: `ऐप में 4096 डालें और सफ़र शुरू करें।`,
    code: '4096',
    link: null,
  },
  {
    name: 'भुगतान का OTP',
    subject: '₹2,499.00 के भुगतान की पुष्टि',
    html: `<table><tr><td>व्यापारी</td><td>बाज़ार ऑनलाइन</td></tr><tr><td>राशि</td><td>₹2,499.00</td></tr><tr><td>कार्ड</td><td>XX7719</td></tr><tr><td>OTP</td><td style="font-size:28px;color:#aa5500">60 33 18</td></tr></table><p>बैंक कभी OTP नहीं पूछता।</p>`,
    code: '603318',
    link: null,
  },
  {
    name: 'देवनागरी अंक',
    subject: 'सत्यापन कोड',
    text: `नमस्ते सुनीता जी,

आपका सत्यापन कोड: ५८२०१७

कृपया इसे पंजीकरण पृष्ठ पर दर्ज करें।

किताबघर, दरियागंज, नई दिल्ली ११०००२`,
    html: `<p>नमस्ते सुनीता जी,</p><p>आपका सत्यापन कोड: <b>५८२०१७</b></p><p>कृपया इसे पंजीकरण पृष्ठ पर दर्ज करें।</p>`,
    code: '582017',
    link: null,
  },
  {
    name: 'अक्षर और अंक',
    subject: 'टीवी जोड़ें',
    text: `अपने फ़ोन पर parda.example/tv खोलें और यह कोड लिखें:

GX4-R8T

बीच का डैश भी लिखें। उपकरण संख्या 8817334022`,
    code: 'GX4-R8T',
    link: null,
  },
  {
    name: 'कोड और लिंक',
    subject: 'मेरी डायरी में लॉगिन',
    html: `<p><a href="https://meridiary.example/login?t=7c10ea&amp;b=hi" style="background:#386641;color:#fff">लॉगिन करें</a></p><p>या खुले पेज पर कोड <b>190 447</b> डालें।</p><p><a href="https://meridiary.example/hatao/4418">सदस्यता छोड़ें</a></p>`,
    text: `लॉगिन करें: https://meridiary.example/login?t=7c10ea&b=hi

या खुले पेज पर कोड 190 447 डालें।`,
    code: '190447',
    link: 'https://meridiary.example/login?t=7c10ea&b=hi',
  },
  {
    name: 'सरकारी आवेदन',
    subject: 'आवेदन संख्या UP/2026/004418',
    text: `महोदय/महोदया,

आवेदन संख्या UP/2026/004418 के लिए ई-मेल पुष्टि कोड नीचे दिया गया है।

00718264

इसे 30 मिनट के भीतर पोर्टल पर भरें।
जन सेवा केंद्र, हरिपुर`,
    code: '00718264',
    link: null,
  },
  {
    name: 'दो भाषाएँ',
    subject: 'Verification code / सत्यापन कोड',
    text: `Dear customer, 55108 is your verification code.
प्रिय ग्राहक, 55108 आपका सत्यापन कोड है।

PNR 4418207733`,
    html: `<p>Dear customer, <b>55108</b> is your verification code.</p><p>प्रिय ग्राहक, <b>55108</b> आपका सत्यापन कोड है।</p>`,
    code: '55108',
    link: null,
  },
  {
    name: 'अनौपचारिक',
    subject: 'बस एक कदम और',
    html: `<p>हाय रोहन! ऐप में <span style="font-size:22px">881-306</span> टाइप कर दो, फिर चाय तैयार ☕</p><p>टीम चायवाला, सेक्टर 18, नोएडा 201301</p>`,
    code: '881306',
    link: null,
  },
  {
    name: 'पासवर्ड रीसेट कोड',
    subject: 'पासवर्ड भूल गए?',
    text: `कोई बात नहीं। रीसेट पेज पर ये अंक भरें: 3 9 0 0 5 7

आपकी ग्राहक संख्या 1180442 है।`,
    code: '390057',
    link: null,
  },
  {
    name: 'ऑर्डर',
    subject: 'आपका ऑर्डर 884103 भेज दिया गया है',
    html: `<p>ऑर्डर संख्या: <b>884103</b></p><p>ट्रैकिंग: HK7330118204IN</p><p>कुल: ₹1,180 (GST सहित)</p>`,
    text: `ऑर्डर संख्या: 884103
ट्रैकिंग: HK7330118204IN
कुल: ₹1,180 (GST सहित)`,
    code: null,
    link: null,
  },
  {
    name: 'कूपन',
    subject: 'कूपन कोड DIWALI25 – आज ही',
    html: `<div style="background:#ff7b00;color:#3d0066"><h1>25% छूट</h1><p>चेकआउट पर कोड डालें</p><p style="font-size:40px">DIWALI25</p></div><p>8/11/2026 तक। <a href="https://kurta.example/d?c=081126">खरीदें</a> <a href="https://kurta.example/band/8812">सदस्यता रद्द करें</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'OTP SMS से भेजा',
    subject: 'लॉगिन की पुष्टि करें',
    text: `हमने 6 अंकों का OTP SMS से XXXXXX4417 पर भेजा है। आगे बढ़ने के लिए उसे पेज पर डालें।

SMS नहीं मिला? 1800 555 020 पर कॉल करें।`,
    code: null,
    link: null,
  },
  {
    name: 'बिजली बिल की ठगी',
    subject: '771820',
    text: `प्रिय उपभोक्ता, आपका बिजली कनेक्शन आज रात 9:30 बजे काट दिया जाएगा। उपभोक्ता 771820, बकाया ₹771। तुरंत भुगतान: https://bijli-bhugtan.example/771820`,
    code: null,
    link: null,
  },
  {
    name: 'चेतावनी',
    subject: 'ठगों से सावधान',
    html: `<p>फ़ोन पर OTP, PIN या CVV माँगने वाले ठग हैं। <b>बैंक कभी OTP नहीं पूछता।</b></p><p>साइबर हेल्पलाइन 1930</p>`,
    text: `फ़ोन पर OTP, PIN या CVV माँगने वाले ठग हैं। बैंक कभी OTP नहीं पूछता।

साइबर हेल्पलाइन 1930`,
    code: null,
    link: null,
  },
  {
    name: 'पुष्टि लिंक',
    subject: 'अपना ई-मेल सत्यापित करें',
    text: `पाठशाला से जुड़ने के लिए धन्यवाद। ई-मेल सत्यापित करने के लिए यह लिंक खोलें:

https://khata.pathshala.example/satyapan/20418/c77e01

गोपनीयता नीति: https://pathshala.example/niti`,
    code: null,
    link: 'https://khata.pathshala.example/satyapan/20418/c77e01',
  },
  {
    name: 'नया पासवर्ड लिंक',
    subject: 'पासवर्ड रीसेट करें',
    html: `<p>उपभोक्ता क्रमांक 7700418820</p><p><a href="https://my.jalboard.example/reset?k=e0c518&amp;s=3">नया पासवर्ड बनाएँ</a></p><p>आपने अनुरोध नहीं किया? इस मेल को अनदेखा करें।</p>`,
    code: null,
    link: 'https://my.jalboard.example/reset?k=e0c518&s=3',
  },
  {
    name: 'नया उपकरण',
    subject: 'नए उपकरण से लॉगिन',
    html: `<p>जयपुर, 22/11/2026, रात 10:51, IP 203.0.113.77</p><p>यह आप नहीं थे? <a href="https://id.savaari.example/suraksha/30817">खाता सुरक्षित करें</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'बिल',
    subject: 'नवंबर का बिल',
    text: `बिल संख्या: 2611004829
खाता संख्या: 300417882
देय राशि: ₹612
अंतिम तिथि: 10/12/2026
IFSC: GSBK0004829`,
    html: `<table><tr><td>बिल संख्या</td><td>2611004829</td></tr><tr><td>खाता संख्या</td><td>300417882</td></tr><tr><td>देय राशि</td><td>₹612</td></tr></table>`,
    code: null,
    link: null,
  },
  {
    name: 'समाप्त OTP',
    subject: 'OTP की अवधि समाप्त',
    text: `OTP 440 716 की अवधि समाप्त हो चुकी है। कृपया लॉगिन पेज से नया OTP मँगाएँ।`,
    code: null,
    link: null,
  },
  {
    name: 'उतनी ही लंबी ऑर्डर संख्या',
    subject: 'ऑर्डर 551820: पता बदलने की पुष्टि',
    html: `<p>ऑर्डर <b>551820</b> का पता बदलने से पहले बताइए कि यह आप ही हैं।</p><p>कोड: <b>640182</b></p><p>ग्राहक 118204</p>`,
    text: `ऑर्डर 551820 का पता बदलने से पहले बताइए कि यह आप ही हैं।

कोड: 640182

ग्राहक 118204`,
    code: '640182',
    link: null,
  },
  {
    name: 'अस्थायी पासवर्ड',
    subject: 'अभिभावक पोर्टल का पासवर्ड',
    html: `<p>प्रिय अभिभावक, पहली बार लॉगिन के लिए अस्थायी पासवर्ड <b>nT58kWr3</b> है। बड़े-छोटे अक्षरों का ध्यान रखें।</p><p>आदर्श विद्यालय, 0522 555 0170</p>`,
    code: 'nT58kWr3',
    link: null,
    kind: 'password',
  },
  {
    name: 'कार्ड सक्रिय करें',
    subject: 'पुस्तकालय कार्ड सक्रिय करें',
    html: `<p>कार्ड संख्या 0048291 तैयार है। <a href="https://pustakalay.example/sakriya?k=48291&amp;s=7ec0">सक्रिय करें</a></p><p><a href="https://pustakalay.example/samay">समय</a></p>`,
    code: null,
    link: 'https://pustakalay.example/sakriya?k=48291&s=7ec0',
  },
  {
    name: 'दूसरे कोड',
    subject: 'त्रुटि कोड 40312',
    html: `<p>बारकोड 8901234567894 पढ़ने पर त्रुटि कोड 40312 आता है। पिन कोड 110002, IFSC कोड GSBK0004829।</p>`,
    text: `बारकोड 8901234567894 पढ़ने पर त्रुटि कोड 40312 आता है। पिन कोड 110002, IFSC कोड GSBK0004829।`,
    code: null,
    link: null,
  },
  {
    name: 'रेफ़रल कोड',
    subject: 'दोस्त को बुलाएँ, ₹100 पाएँ',
    html: `<p>आपका रेफ़रल कोड: <b>ROHAN447</b>। दोस्त पंजीकरण में यह कोड डालेगा तो दोनों को ₹100 मिलेंगे।</p>`,
    code: null,
    link: null,
  },
  {
    name: 'स्तंभ शीर्षक और नीचे कोड',
    subject: 'छात्र पोर्टल का अस्थायी लॉगिन',
    html: `<table><tr><th>नामांकन संख्या</th><th>एक बार का पासवर्ड</th></tr><tr><td>330718</td><td>158 740</td></tr></table>`,
    text: `नामांकन संख्या: 330718
एक बार का पासवर्ड: 158 740`,
    code: '158740',
    link: null,
  },
  {
    name: 'मीटर रीडिंग',
    subject: 'मीटर रीडिंग दर्ज हुई',
    text: `रीडिंग: 048291
मीटर संख्या: 30774118
धन्यवाद`,
    code: null,
    link: null,
  },
]
