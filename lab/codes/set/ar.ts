/** Labelled mails in Arabic, some with Arabic-Indic digits and direction marks. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'رمز بأرقام عربية',
    subject: 'رمز التحقق الخاص بك',
    text: `مرحبًا سارة،

رمز التحقق الخاص بك هو: ٤٨٢٩١٣

الرمز صالح لمدة ١٠ دقائق. لا تشاركه مع أحد.

شركة واحة الكتب، الرياض ١٢٣٣٣`,
    code: '482913',
    link: null,
  },
  {
    name: 'علامات الاتجاه',
    subject: '\u200f7051 هو رمز الدخول إلى درّاجتي',
    text: `\u200fأدخل الرمز \u200e7051\u200f في التطبيق لإكمال تسجيل الدخول.\u200f`,
    html: `<div dir="rtl"><p>أدخل الرمز <bdi>7051</bdi> في التطبيق لإكمال تسجيل الدخول.</p></div>`,
    code: '7051',
    link: null,
  },
  {
    name: 'كلمة مرور لمرة واحدة للبنك',
    subject: 'كلمة المرور لمرة واحدة (OTP)',
    html: `<div dir="rtl"><p>عزيزي العميل،</p><table><tr><td>المبلغ</td><td>1,350.00 ر.س</td></tr><tr><td>التاجر</td><td>متجر النخيل</td></tr><tr><td>البطاقة</td><td>****7719</td></tr><tr><td>كلمة المرور لمرة واحدة</td><td style="font-size:28px;color:#006c35">664018</td></tr></table><p>لن يطلب منك موظف البنك هذه الكلمة. بنك المرفأ 920055501</p></div>`,
    code: '664018',
    link: null,
  },
  {
    name: 'حروف وأرقام',
    subject: 'ربط التلفاز',
    text: `افتح الموقع tv.shasha.example/link ثم اكتب رمز الربط التالي مع الشرطة:

\u200eKR7-X2M\u200e

الرقم التسلسلي: 2204-8817-33`,
    code: 'KR7-X2M',
    link: null,
  },
  {
    name: 'استعادة كلمة المرور',
    subject: 'هل نسيت كلمة المرور؟',
    html: `<div style="direction:rtl;color:#223311"><p>لا تقلق! اكتب الأرقام التالية في صفحة الاستعادة:</p><p style="font-size:32px">٣٠ ٧٧ ١٤</p><p>رقم العضوية: ١١٨٠٤٤٢</p></div>`,
    text: `لا تقلق! اكتب الأرقام التالية في صفحة الاستعادة:

٣٠ ٧٧ ١٤

رقم العضوية: ١١٨٠٤٤٢`,
    code: '307714',
    link: null,
  },
  {
    name: 'رمز ورابط',
    subject: 'تسجيل الدخول إلى دفتري',
    html: `<div dir="rtl"><p><a href="https://daftari.example/dukhul?m=8e01cc&amp;lg=ar" style="background:#457b9d">تسجيل الدخول</a></p><p>أو أدخل الرمز <b>519-204</b> في الصفحة المفتوحة.</p><p><a href="https://daftari.example/ilgha/4418">إلغاء الاشتراك</a></p></div>`,
    text: `تسجيل الدخول: https://daftari.example/dukhul?m=8e01cc&lg=ar

أو أدخل الرمز 519-204 في الصفحة المفتوحة.`,
    code: '519204',
    link: 'https://daftari.example/dukhul?m=8e01cc&lg=ar',
  },
  {
    name: 'خدمة حكومية',
    subject: 'طلب رقم 2026-004418',
    text: `السيد/ خالد العمري المحترم

بخصوص الطلب رقم 2026-004418، نرسل لكم رمز التفعيل: 00913827

يرجى إدخاله في البوابة قبل الساعة 9:00 صباحًا.

بلدية الزيتونة`,
    code: '00913827',
    link: null,
  },
  {
    name: 'عربي وإنجليزي',
    subject: 'رمز التحقق | Verification code',
    html: `<p dir="rtl">رمز التحقق: <b>84402</b></p><p dir="ltr">Verification code: <b>84402</b></p><p>طيران الصقر Falcon Wings, 2204417733</p>`,
    text: `رمز التحقق: 84402
Verification code: 84402

طيران الصقر Falcon Wings, 2204417733`,
    code: '84402',
    link: null,
  },
  {
    name: 'أسلوب ودّي',
    subject: 'خطوة أخيرة',
    text: `أهلًا يا كريم! اكتب 118 639 في التطبيق وخلاص، قهوتك جاهزة ☕ فريق مقهى الركن، ٤٥ شارع طلعت حرب، القاهرة`,
    code: '118639',
    link: null,
  },
  {
    name: 'خلية كبيرة',
    subject: 'تأكيد البريد الإلكتروني',
    html: `<table dir="rtl" width="500"><tr><td>استخدم هذا الرمز لإكمال التسجيل</td></tr><tr><td align="center" style="font-size:40px;background:#fefae0">B4NZ81</td></tr><tr><td>© 2026 سوق الحي</td></tr></table>`,
    code: 'B4NZ81',
    link: null,
  },
  {
    name: 'تأكيد طلب',
    subject: 'تم تأكيد طلبك رقم 5502918',
    html: `<div dir="rtl"><p>رقم الطلب: <b>5502918</b></p><p>المجموع: 249.00 درهم</p><p>رقم الشحنة: DX00418827AE</p></div>`,
    text: `رقم الطلب: 5502918
المجموع: 249.00 درهم
رقم الشحنة: DX00418827AE`,
    code: null,
    link: null,
  },
  {
    name: 'رمز خصم',
    subject: 'رمز الخصم EID30 بانتظارك',
    html: `<div dir="rtl" style="background:#7b2cbf;color:#ffd60a"><h1>خصم ٣٠٪</h1><p>أدخل الرمز عند الدفع</p><p style="font-size:42px">EID30</p><a href="https://azyaa.example/eid?c=300426">تسوّق الآن</a></div><p><a href="https://azyaa.example/off/8812">إلغاء الاشتراك</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'رمز برسالة نصية',
    subject: 'التحقق بخطوتين',
    text: `أرسلنا رمزًا من ٦ أرقام في رسالة نصية إلى جوالك المنتهي بـ ٤١٧. أدخله في الصفحة للمتابعة.

لم تصلك الرسالة؟ اتصل على 920055512`,
    code: null,
    link: null,
  },
  {
    name: 'احتيال شحنة',
    subject: '٧٧١٨٢٠',
    text: `شحنتك رقم ٧٧١٨٢٠ موقوفة في الجمارك. ادفع ٩٫٩٩ ر.س خلال ٢٤ ساعة: https://shahn-jamarek.example/771820`,
    code: null,
    link: null,
  },
  {
    name: 'تحذير',
    subject: 'احذر من المحتالين',
    html: `<div dir="rtl"><p>يتصل بعض المحتالين مدّعين أنهم من البنك ويطلبون رمز التحقق. <b>لن نطلب منك أبدًا الرمز أو الرقم السري.</b></p><p>تعميم 118/2026</p></div>`,
    text: `يتصل بعض المحتالين مدّعين أنهم من البنك ويطلبون رمز التحقق. لن نطلب منك أبدًا الرمز أو الرقم السري.

تعميم 118/2026`,
    code: null,
    link: null,
  },
  {
    name: 'رابط تأكيد',
    subject: 'أكّد عنوان بريدك',
    text: `شكرًا لتسجيلك في مكتبة النور.

لتأكيد عنوانك افتح الرابط التالي خلال ٢٤ ساعة:
https://hisab.annoor.example/takid/20418-77c0e1

سياسة الخصوصية: https://annoor.example/khususiya`,
    code: null,
    link: 'https://hisab.annoor.example/takid/20418-77c0e1',
  },
  {
    name: 'رابط كلمة مرور جديدة',
    subject: 'إعادة تعيين كلمة المرور',
    html: `<div dir="rtl"><p>رقم المشترك 7700418</p><p><a href="https://khadamat.miyah.example/password?t=5c81e0&amp;v=2">تعيين كلمة مرور جديدة</a></p><p>لم تطلب ذلك؟ <a href="https://miyah.example/tawasul">تواصل معنا</a></p></div>`,
    text: `رقم المشترك 7700418
تعيين كلمة مرور جديدة:
https://khadamat.miyah.example/password?t=5c81e0&v=2`,
    code: null,
    link: 'https://khadamat.miyah.example/password?t=5c81e0&v=2',
  },
  {
    name: 'دخول من جهاز جديد',
    subject: 'تسجيل دخول من جهاز جديد',
    text: `عمّان، 22/11/2026، 10:47 م، 203.0.113.201

إن لم تكن أنت، فأمِّن حسابك: https://id.darrajati.example/secure/33092`,
    code: null,
    link: null,
  },
  {
    name: 'فاتورة',
    subject: 'فاتورة شهر نوفمبر',
    html: `<table dir="rtl"><tr><td>رقم الفاتورة</td><td>2611004829</td></tr><tr><td>رقم الحساب</td><td>٣٠٠٤١٧٨٨</td></tr><tr><td>المبلغ</td><td>118.20 د.أ</td></tr><tr><td>الرقم الضريبي</td><td>300482913077003</td></tr></table>`,
    code: null,
    link: null,
  },
  {
    name: 'رمز منتهٍ',
    subject: 'انتهت صلاحية الرمز',
    text: `الرمز 330 714 لم يعد صالحًا لأنه لم يُستخدم خلال خمس دقائق. اطلب رمزًا جديدًا من صفحة الدخول.`,
    code: null,
    link: null,
  },
  {
    name: 'حجز موعد',
    subject: 'تذكير بموعدك',
    html: `<div dir="rtl"><p>عيادة الابتسامة، د. هدى منصور</p><p>٠٤/١٢/٢٠٢٦، الساعة ٤:٣٠ م</p><p>رقم الملف: ٨٨٢٠٤١</p></div>`,
    text: `عيادة الابتسامة، د. هدى منصور
٠٤/١٢/٢٠٢٦، الساعة ٤:٣٠ م
رقم الملف: ٨٨٢٠٤١`,
    code: null,
    link: null,
  },
  {
    name: 'رقم طلب بالطول نفسه',
    subject: 'تغيير عنوان الطلب 551820',
    html: `<div dir="rtl"><p>لتغيير عنوان الطلب <b>551820</b> يجب أن نتأكد من هويتك.</p><p>الرمز: <b>720463</b></p><p>رقم العميل 118204</p></div>`,
    text: `لتغيير عنوان الطلب 551820 يجب أن نتأكد من هويتك.

الرمز: 720463

رقم العميل 118204`,
    code: '720463',
    link: null,
  },
  {
    name: 'كلمة مرور مؤقتة',
    subject: 'كلمة مرور مؤقتة لبوابة أولياء الأمور',
    html: `<div dir="rtl"><p>السادة أولياء الأمور، كلمة المرور المؤقتة هي \u200etW46kRn9\u200e مع مراعاة الأحرف الكبيرة والصغيرة.</p><p>مدرسة الأمل، هاتف 065550170</p></div>`,
    code: 'tW46kRn9',
    link: null,
    kind: 'password',
  },
  {
    name: 'تفعيل بطاقة',
    subject: 'فعّل بطاقة المكتبة',
    html: `<div dir="rtl"><p>بطاقتك رقم 0048291 جاهزة. <a href="https://maktaba.example/tafil?b=48291&amp;k=e0c7">تفعيل البطاقة</a></p><p><a href="https://maktaba.example/mawaid">مواعيد العمل</a></p></div>`,
    code: null,
    link: 'https://maktaba.example/tafil?b=48291&k=e0c7',
  },
  {
    name: 'رموز أخرى',
    subject: 'رمز الخطأ 40312',
    html: `<div dir="rtl"><p>يظهر رمز الخطأ 40312 عند قراءة الرمز الشريطي 6281234567891. الرمز البريدي ١٢٣٣٣، رمز الدولة 966.</p></div>`,
    text: `يظهر رمز الخطأ 40312 عند قراءة الرمز الشريطي 6281234567891. الرمز البريدي ١٢٣٣٣، رمز الدولة 966.`,
    code: null,
    link: null,
  },
  {
    name: 'رمز دعوة',
    subject: 'ادعُ صديقًا واربح 20 ريالًا',
    html: `<div dir="rtl"><p>رمز الدعوة الخاص بك: <b>KARIM447</b>. يدخله صديقك عند التسجيل وتربحان معًا.</p></div>`,
    code: null,
    link: null,
  },
  {
    name: 'عنوان عمود والرمز تحته',
    subject: 'دخول مؤقت إلى بوابة الطالب',
    html: `<table dir="rtl"><tr><th>الرقم الجامعي</th><th>كلمة مرور لمرة واحدة</th></tr><tr><td>330718</td><td>٥٨٤ ٠٧١</td></tr></table>`,
    code: '584071',
    link: null,
  },
  {
    name: 'قراءة العداد',
    subject: 'تم استلام قراءة العداد',
    text: `القراءة: 048291
رقم العداد: 30774118
شكرًا لتعاونكم`,
    code: null,
    link: null,
  },
]
